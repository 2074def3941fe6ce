// SPDX-License-Identifier: Apache-2.0
/** Starts the processes, carries out the plan, and brings the ring to its end. */
package dev.slipring.torture.control;
