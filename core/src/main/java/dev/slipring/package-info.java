// SPDX-License-Identifier: Apache-2.0
/** What an application uses: open a store, push to a ring, work on its stages. */
package dev.slipring;
