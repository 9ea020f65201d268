// The loop that dancing links and the direct method share. They differ only in the data of their trees.

#pragma once

#include "cover/run.hpp"

namespace latcover {

// Walk a tree of options, depth first.
//
// require, of `tree`:
// - `open()` looks at the node that the chosen options make. It opens a level and returns true when the node has
//   children.
// - `next_option()` takes back the option that the top level tried last, and takes the next one. False: there is none.
// - `strands()` returns whether the option just taken is to be refused.
// - `close()` removes the top level.
// - `depth()` returns how many levels are open.
template <typename Tree>
Outcome walk_tree(Run& run, Tree& tree) {
    const auto advance = [&] {
        while (tree.next_option()) {
            if (tree.strands()) {
                ++run.statistics.stranded;
                continue;
            }
            run.branch(tree.depth());
            return true;
        }
        return false;
    };
    for (bool descend = true, going = run.start(); going;) {
        if (descend) descend = tree.open();
        if (run.stopped() || tree.depth() == 0) break;
        if (run.due()) run.look([&] { return tree.share_done(); });
        if (run.stopped()) break;
        descend = advance();
        if (!descend) tree.close();
    }
    return run.finish();
}

}  // namespace latcover
