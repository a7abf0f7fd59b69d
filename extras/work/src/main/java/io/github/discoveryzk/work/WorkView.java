// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work;

import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/** Who handles what, as this instance knows it. A service in a container. */
@ProviderType
public interface WorkView {

    /** Returns the instance id of the owner of each key of a set, by key; unmodifiable. It may be old while this instance is cut off. */
    Map<String, String> owners(String set);
}
