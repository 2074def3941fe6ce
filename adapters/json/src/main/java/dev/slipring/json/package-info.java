// SPDX-License-Identifier: Apache-2.0
/** A codec for values that are written as JSON. */
package dev.slipring.json;
