// SPDX-License-Identifier: Apache-2.0
/** Views of the discovery API made from held views, and how long they are current. */
package io.github.discoveryzk.base.view;
