// SPDX-License-Identifier: Apache-2.0
/**
 * What the engines that speak SQL share: how they read and write rows, the table of messages set
 * aside, and how they treat connections, URLs and errors of drivers.
 */
package dev.slipring.sql;
