// SPDX-License-Identifier: Apache-2.0
/** What runs in the processes that are killed: producers and workers, and their journals. */
package dev.slipring.torture.child;
