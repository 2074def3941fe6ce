// SPDX-License-Identifier: Apache-2.0
/** Watching: what happens goes to the listener and to Flight Recorder. */
package dev.slipring.watch;
