"""The model of a cover problem for CP-SAT, and what a cover costs as an expression of it."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from latcover.backends.optimizing import term_clauses
from latcover.backends.relay import Outbox
from latcover.core.cover.cover_costs import Costs
from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.rows import Row, bounded_rows, colour_groups, forbidden_options


def model_of(problem: CoverProblem, cp_model: ModuleType, outbox: Outbox) -> Any | None:
    """The model; None if the outbox was closed meanwhile.

    It fills the model's protocol buffer in bulk: by the model's methods, a million options would take many seconds.
    """
    model = cp_model.CpModel()
    groups = colour_groups(problem)
    if problem.n_options:
        _add_booleans(problem.n_options + len(groups), model.proto)
    for variable, options in enumerate(groups, problem.n_options):
        _add_group(variable, options, model.proto)
    never = forbidden_options(problem)
    if len(never):
        model.proto.constraints.add().bool_and.literals.extend((-1 - never).tolist())
    for row in bounded_rows(problem):
        if outbox.closed:
            return None
        _add(row, model.proto.constraints.add())
    return model


def cost_of_a_cover(costs: Costs, model: Any, cp_model: ModuleType) -> Any:
    """The cost of a cover, as an expression of the model, which gets further variables for it."""
    first = len(model.proto.variables)
    _add_booleans(1 + costs.n_conditions + len(costs.weights), model.proto)
    for clause in term_clauses(costs, first + 1):
        model.proto.constraints.add().bool_or.literals.extend(map(literal, clause))
    own = np.flatnonzero(costs.own)
    variables = [*own.tolist(), *range(first + costs.n_conditions, first + costs.n_conditions + len(costs.weights))]
    weights = [*costs.own[own].tolist(), *costs.weights.tolist()]
    total = [model.get_int_var_from_proto_index(variable) for variable in variables]
    return cp_model.LinearExpr.weighted_sum(total, weights) + costs.constant


def _add_booleans(number: int, proto: Any) -> None:
    boolean = proto.variables.add()
    boolean.domain.extend([0, 1])
    proto.variables.extend([boolean] * (number - 1))


def _add(row: Row, constraint: Any) -> None:
    """Turn an empty constraint into the constraint of *row*."""
    variables = row.variables.tolist()
    if row.high == 1 and row.low == 1:
        constraint.exactly_one.literals.extend(variables)
    elif row.high == 1 and row.low == 0:
        constraint.at_most_one.literals.extend(variables)
    elif row.low == 1 and row.high == len(variables):
        constraint.bool_or.literals.extend(variables)
    else:
        constraint.linear.vars.extend(variables)
        constraint.linear.coeffs.extend([1] * len(variables))
        constraint.linear.domain.extend([row.low, max(row.low, row.high)])


def _add_group(variable: int, options: Ints, proto: Any) -> None:
    """Let *variable* be true if and only if one of *options* is."""
    some = proto.constraints.add()
    some.enforcement_literal.append(variable)
    some.bool_or.literals.extend(options.tolist())
    no = proto.constraints.add()
    no.enforcement_literal.append(-1 - variable)
    no.bool_and.literals.extend((-1 - options).tolist())


def literal(literal: int) -> int:
    """A literal of a clause, in which variables are numbered from 1, as CP-SAT writes it."""
    return literal - 1 if literal > 0 else literal
