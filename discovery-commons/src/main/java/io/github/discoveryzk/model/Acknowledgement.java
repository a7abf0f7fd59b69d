// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

/**
 * States that a member has stopped acting on a view: all its listeners have returned from CHANGING. It is never withdrawn.
 *
 * @param node the member node of the member that acknowledges
 * @param number the number of the acknowledged view
 */
public record Acknowledgement(String node, long number) {}
