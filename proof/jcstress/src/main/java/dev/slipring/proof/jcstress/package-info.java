// SPDX-License-Identifier: Apache-2.0
/**
 * The ring between threads under jcstress: only outcomes that are allowed occur on the hardware.
 */
package dev.slipring.proof.jcstress;
