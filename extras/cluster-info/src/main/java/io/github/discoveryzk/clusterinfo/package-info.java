// SPDX-License-Identifier: Apache-2.0
/**
 * The OSGi Cluster Information Specification (Compendium, chapter 148) on the API of discovery alone: a service for each member of
 * the local cluster. Nothing of it is exported.
 */
package io.github.discoveryzk.clusterinfo;
