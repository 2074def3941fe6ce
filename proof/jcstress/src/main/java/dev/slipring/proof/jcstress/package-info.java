// SPDX-License-Identifier: Apache-2.0
/**
 * The ring between threads under jcstress: every outcome that the hardware makes is one that may
 * be.
 */
package dev.slipring.proof.jcstress;
