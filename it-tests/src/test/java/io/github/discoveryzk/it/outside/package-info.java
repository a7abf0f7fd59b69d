// SPDX-License-Identifier: Apache-2.0
/**
 * The part of the tests outside of the container, in the same process: a ZooKeeper server, further members of its clusters, and
 * waiting. The system bundle exports this package, so there is one of each. Both sides have their own classes of everything
 * else; therefore only types of the JDK cross the border.
 */
package io.github.discoveryzk.it.outside;
