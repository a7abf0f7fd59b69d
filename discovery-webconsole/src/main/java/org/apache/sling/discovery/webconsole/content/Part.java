// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.content;

/** A part of a section or of a page. */
public sealed interface Part
        permits Section,
                Section.Facts,
                Section.Items,
                Section.Note,
                Section.Heading,
                Section.Title,
                Section.Paragraph,
                Section.Form,
                Section.Drawing,
                Table {}
