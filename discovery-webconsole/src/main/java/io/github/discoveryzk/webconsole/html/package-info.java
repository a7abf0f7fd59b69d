// SPDX-License-Identifier: Apache-2.0
/** The pages as lists of sections and pictures, and the writer that makes HTML of them: all text is escaped, every element closed. */
package io.github.discoveryzk.webconsole.html;
