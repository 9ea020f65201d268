#include "module/growth_module.hpp"

#include <utility>

#include "apart/geometry_arrays.hpp"
#include "module/arrays.hpp"
#include "plane/growth.hpp"

namespace nb = nanobind;

namespace latcover {

namespace {

constexpr int most_dimensions = 3, most_nodes = 1024, most_codes = 1 << 16;

void require_of(bool fits, const char* refusal) {
    if (!fits) throw nb::value_error(refusal);
}

void require_node(int node, int n_nodes) { require_of(node >= 0 && node < n_nodes, "a node does not exist"); }

class Grower {
public:
    // motions: of each, its nodes, its matrix and its shifts. steps: of each, node, target and step. copies: cells.
    Grower(int dimension, int n_nodes, int span, const Input<std::int32_t>& motions, const Input<std::int32_t>& steps,
           const Input<std::int32_t>& copies, int size)
        : growth_(lattice(dimension, n_nodes, span, motions, steps), read_copies(dimension, n_nodes, copies, size)),
          codes_(n_nodes) {
        for (int k = 0; k < dimension; ++k) codes_ *= span;
    }

    nb::object grown(const Input<std::uint16_t>& records, std::size_t n_cells) const {
        require_of(n_cells > 0 && records.size() % n_cells == 0, "the records do not fit the number of cells");
        for (std::size_t k = 0; k < records.size(); ++k)
            require_of(records.data()[k] < codes_, "a code is that of no cell");
        std::vector<CellCode> found;
        {
            nb::gil_scoped_release unlock;
            found = growth_.grown(view(records), n_cells);
        }
        return as_numpy(std::move(found));
    }

private:
    static GrowthLattice lattice(int dimension, int n_nodes, int span, const Input<std::int32_t>& motions,
                                 const Input<std::int32_t>& steps) {
        require_of(dimension >= 1 && dimension <= most_dimensions, "one to three dimensions");
        require_of(n_nodes >= 1 && n_nodes <= most_nodes && span >= 1 && span <= most_codes, "too large");
        std::int64_t codes = n_nodes;
        for (int k = 0; k < dimension; ++k) {
            codes *= span;
            require_of(codes <= most_codes, "the codes of the cells do not fit 16 bits");
        }
        GrowthLattice made{dimension, n_nodes, span, {}, {}};
        const std::size_t each = n_nodes + dimension * dimension + n_nodes * dimension, step = 2 + dimension;
        require_of(motions.size() > 0 && motions.size() % each == 0, "the motions do not fit the lattice");
        require_of(steps.size() % step == 0, "the steps do not fit the lattice");
        for (const std::int32_t* at = motions.data(); at != motions.data() + motions.size(); at += each) {
            const auto *matrix = at + n_nodes, *shifts = matrix + dimension * dimension;
            for (int k = 0; k < n_nodes; ++k) require_node(at[k], n_nodes);
            made.motions.push_back({{at, matrix}, {matrix, shifts}, {shifts, at + each}});
        }
        for (const std::int32_t* at = steps.data(); at != steps.data() + steps.size(); at += step) {
            require_node(at[0], n_nodes);
            require_node(at[1], n_nodes);
            made.steps.push_back({at[0], at[1], {at + 2, at + step}});
        }
        return made;
    }

    static std::vector<std::vector<LatticeCell>> read_copies(int dimension, int n_nodes,
                                                             const Input<std::int32_t>& copies, int size) {
        const std::size_t width = dimension + 1;
        require_of(size >= 1 && copies.size() > 0 && copies.size() % (size * width) == 0, "the copies do not fit");
        std::vector<std::vector<LatticeCell>> found;
        for (std::size_t k = 0; k < copies.size(); k += width) {
            if (k % (size * width) == 0) found.emplace_back();
            const auto* at = copies.data() + k;
            require_node(at[0], n_nodes);
            found.back().push_back({at[0], {at + 1, at + width}});
        }
        return found;
    }

    Growth growth_;
    std::int64_t codes_;
};

nb::object distinct(const Input<std::uint16_t>& records, std::size_t width) {
    require_of(width > 0 && records.size() % width == 0, "the records do not fit their width");
    std::vector<CellCode> found;
    {
        nb::gil_scoped_release unlock;
        found = distinct_records(view(records), width);
    }
    return as_numpy(std::move(found));
}

}  // namespace

void define_growth(nb::module_& m) {
    using namespace nb::literals;
    nb::class_<Grower>(m, "Grower", "Adds copies of a shape to regions.")
        .def(nb::init<int, int, int, const Input<std::int32_t>&, const Input<std::int32_t>&, const Input<std::int32_t>&,
                      int>(),
             "dimension"_a, "n_nodes"_a, "span"_a, "motions"_a.noconvert(), "steps"_a.noconvert(),
             "copies"_a.noconvert(), "size"_a)
        .def("grown", &Grower::grown, "records"_a.noconvert(), "n_cells"_a,
             "All unions of a region with a copy beside it, each as the least of its images, distinct and ascending.");
    m.def("distinct_records", &distinct, "records"_a.noconvert(), "width"_a, "Distinct records, ascending.");
}

}  // namespace latcover
