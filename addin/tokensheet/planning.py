"""The one place where questions are answered: behind Python, the terminal and cells; workbooks are held against it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tokensheet.arguments import NodeRef, identifier, is_array, number, options
from tokensheet.binding import Bound, Questions, meant
from tokensheet.chosen import in_range
from tokensheet.errors import ArgumentError, PluginError, TokensheetError, UnknownNameError, hint
from tokensheet.explaining import Line, explained
from tokensheet.failure import Failure, Value
from tokensheet.irregular import IrregularError
from tokensheet.plugins import Plugins, load
from tokensheet.registry import Registry
from tokensheet.reshaping import reshaped
from tokensheet.settings import Settings, found


class Planner:
    """A registry with its prepared questions.

    Args:
        plugins: the loaded plugins; by default all that are installed or stand in the settings
        settings: of the person; the settings file and the environment by default
    """

    def __init__(self, plugins: Plugins | None = None, settings: Settings | None = None) -> None:
        if plugins is None:
            settings = found() if settings is None else settings
            plugins = load(
                disable=settings.disable,
                files=settings.plugins,
                catalogs=settings.catalogs,
                allow=settings.allow,
            )
        self.settings = Settings() if settings is None else settings
        self.registry = Registry(plugins, self.settings.prefer, self.settings.profile)
        self.questions = Questions(self.registry)

    @classmethod
    def of(
        cls, *, disable: Iterable[str] = (), files: Iterable[Path] = (), catalogs: Iterable[Path] = ()
    ) -> Planner:
        """A planner of the person's settings, with some plugins left out or some files and tables added."""
        return cls(settings=found().plus(plugins=files, catalogs=catalogs, disable=disable))

    # ---- one answer

    def evaluate(self, name: str, /, options: Any = None, **given: Any) -> Any:
        """The value of a node: a float, or an array where an argument is a range.

        Args:
            name: of a formula, such as `decode_latency`
            options: further names and values, as text, mapping or rows
            given: ids of records, numbers, lists; any node may be pinned

        Returns:
            float, or a NumPy array in which a failed element is nan (`why` says why).

        Raises:
            TokensheetError: there is no answer; one line says why.
        """
        found = self.answer(name, self.merged(given, options))
        if isinstance(found, Failure):
            raise found.error(name)
        return found.values if hasattr(found, "values") else found

    def why(self, name: str, /, options: Any = None, **given: Any) -> Any:
        """Why an answer failed: a line, or "" when it did not; nested lists for ranges."""
        try:
            found = self.answer(name, self.merged(given, options))
        except TokensheetError as error:
            return str(error)
        if isinstance(found, Failure):
            return found.reason
        if not hasattr(found, "values"):
            return ""
        flat = found.values.reshape(-1)
        texts = [found.failure(i).reason if v != v else "" for i, v in enumerate(flat.tolist())]
        return _nested(texts, found.values.shape)

    def merged(self, given: Mapping[str, Any], more: Any) -> dict[str, Any]:
        """Arguments and options in one mapping.

        Raises:
            ArgumentError: an option repeats an argument.
        """
        merged = dict(given)
        for key, value in options(more).items():
            if merged.get(key) is not None:
                raise ArgumentError(f"{key} is given as an argument and as an option; leave one out")
            merged[key] = value
        return merged

    def answer(self, name: str, given: Mapping[str, Any]) -> Any:
        """A float or a Failure; `Answers` where an argument is a range.

        Raises:
            TokensheetError: the question itself is wrong: an unknown name.
        """
        if self.registry.former:
            name, given = self.registry.former.current(name), self.registry.former.mapping(given)
        name, given = self.node_named(name), reshaped(self.registry, given)
        for value in given.values():
            if is_array(value):
                self.registry.definition(name.rsplit(".", 1)[-1])
                return _ranges()(self.questions, (name,), given, self.one)[0]
        return self.one(name, given)

    def node_named(self, name: str) -> str:
        """The node that a function's name in capitals means."""
        return (
            name.lower()
            if name not in self.registry.nodes and name.upper() in self.registry.functions
            else name
        )

    def one(self, name: str, given: Mapping[str, Any]) -> Value:
        """The answer for single values."""
        parts = self.parts(given)
        if isinstance(parts, Failure):
            return parts
        names, ids, numbers, linked = parts
        try:
            question = self.questions.question(name, names, linked)
            bound = question.bound.get(ids) or question.bind(ids)
        except TokensheetError as error:
            return Failure(str(error), type(error))
        code = bound.code
        if code.numbers != question.numbers:
            by_name = dict(zip(question.numbers, numbers, strict=True))
            problem = self.out_of_range(by_name)
            if problem:
                return problem
            numbers = [by_name[n] for n in code.numbers]
        try:
            return code.quick(*numbers, bound.prepared)
        except (IrregularError, ArithmeticError, ValueError, TypeError):
            return bound.value(dict(zip(code.numbers, numbers, strict=True)))

    def parts(
        self, given: Mapping[str, Any]
    ) -> tuple[tuple[str, ...], tuple[str, ...], list[float], tuple[tuple[str, str], ...]] | Failure:
        """What is given as names of all, ids, numbers, and links to other results; or what is wrong with it."""
        names: list[str] = []
        ids: list[str] = []
        numbers: list[float] = []
        linked: list[tuple[str, str]] = []
        roles = self.registry.roles
        for key, raw in given.items():
            if key in roles:
                text = identifier(key, raw)
                if isinstance(text, Failure):
                    return text
                if text is not None:
                    names.append(key)
                    ids.append(text)
            elif isinstance(raw, NodeRef):
                linked.append((key, str(raw)))
            else:
                value = raw if raw.__class__ is float and raw - raw == 0.0 else number(key, raw)
                if isinstance(value, Failure):
                    return self.unknown(key) or value
                if value is not None:
                    names.append(key)
                    numbers.append(value)
        return tuple(names), tuple(ids), numbers, tuple(linked)

    def several(self, names: Sequence[str], given: Mapping[str, Any]) -> dict[str, Value]:
        """The answers of several nodes for single values, by one walk over one graph.

        Raises:
            TokensheetError: an argument is wrong.
        """
        bound, numbers = self.bound(tuple(names), reshaped(self.registry, given))
        walk = bound.interpreter(numbers, often=True)
        return {name: walk.value(key) for name, key in zip(names, bound.graph.outputs, strict=True)}

    def unknown(self, key: str) -> Failure | None:
        """That a name is not known, which counts more than what is wrong with its value."""
        registry, name = self.registry, key.rsplit(".", 1)[-1]
        if name in registry.broken:
            return Failure(registry.broken[name], PluginError)
        if name in registry.nodes:
            return None
        return Failure(f"nothing is called {key}{hint(key, registry.known)}", UnknownNameError)

    def out_of_range(self, numbers: Mapping[str, float]) -> Failure | None:
        """The first given number that makes no sense, needed by the answer or not."""
        for key, value in numbers.items():
            definition = meant(self.registry, key)
            if definition is not None:
                found = in_range(key, definition, value)
                if isinstance(found, Failure):
                    return found
        return None

    # ---- the calculation, node by node

    def bound(self, name: str | tuple[str, ...], given: Mapping[str, Any]) -> tuple[Bound, dict[str, float]]:
        """The bound question and its numbers.

        Raises:
            TokensheetError: an argument is wrong.
        """
        for key, raw in given.items():
            if is_array(raw):
                raise ArgumentError(f"{key} is a range; explain takes one value")
        parts = self.parts(given)
        if isinstance(parts, Failure):
            raise parts.error(name if isinstance(name, str) else name[0])
        names, ids, numbers, linked = parts
        question = self.questions.question(name, names, linked)
        return question.bind(ids), dict(zip(question.numbers, numbers, strict=True))

    def explain(self, name: str, /, options: Any = None, **given: Any) -> tuple[list[Line], list[str]]:
        """Each node that the answer was calculated from, with formula, value, unit, source; and warnings."""
        former = self.registry.former
        asked = self.merged(given, options)
        told = former.told([name, *asked])
        shaped = reshaped(self.registry, former.mapping(asked))
        bound, numbers = self.bound(self.node_named(former.current(name)), shaped)
        lines, warnings = explained(self.registry, bound, numbers)
        return lines, [*told, *warnings]


@cache
def _ranges() -> Callable[..., Any]:
    """What evaluates ranges: arrays, or element by element where there is no NumPy."""
    try:
        import numpy  # noqa: F401
    except ModuleNotFoundError:
        from tokensheet import one_by_one

        return one_by_one.evaluate_array
    from tokensheet import arrays

    return arrays.evaluate_array


@cache
def shared() -> Planner:
    """The planner of all installed plugins and the person's settings, made once a process."""
    return Planner()


def _nested(flat: list[str], shape: tuple[int, ...]) -> Any:
    if len(shape) == 1:
        return flat
    width = len(flat) // shape[0] if shape[0] else 0
    return [_nested(flat[i * width : (i + 1) * width], shape[1:]) for i in range(shape[0])]
