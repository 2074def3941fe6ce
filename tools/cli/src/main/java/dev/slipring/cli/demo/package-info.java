// SPDX-License-Identifier: Apache-2.0
/**
 * The demonstration: real earthquakes through a diamond of stages, with a worker that is killed.
 */
package dev.slipring.cli.demo;
