// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.content;

/** A part of a section or of a page. The pages have parts of their own, which plain text leaves out. */
public interface Part {}
