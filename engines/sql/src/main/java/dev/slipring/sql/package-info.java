// SPDX-License-Identifier: Apache-2.0
/** How the engines that speak SQL read and write rows: what their dialects have in common. */
package dev.slipring.sql;
