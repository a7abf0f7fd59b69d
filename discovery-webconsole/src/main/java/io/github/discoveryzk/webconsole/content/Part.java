// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.content;

/** A part of a section or of a page. The pages have parts of their own, which plain text leaves out. */
public interface Part {}
