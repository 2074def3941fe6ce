// SPDX-License-Identifier: Apache-2.0
/** How the engines that speak SQL read rows; no dialect of SQL but what they have in common. */
package dev.slipring.sql;
