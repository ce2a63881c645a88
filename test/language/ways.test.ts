import { load } from 'js-yaml';
import { compilePipeline } from '../../compiler';
import type { Json } from '../../plan/text/json';
import { DRAFT, errorsOf, FILE, SOURCES } from './world';

/** References that cannot be read in their place: the steps, the hint, and the steps after the hint was followed. */
const CASES: readonly { what: string; steps: string; hint: string; mended: string }[] = [
  {
    what: 'a step that comes later in a sequence',
    steps: `[{id: a, run: "echo \${b}"}, {id: b, run: "true"}]`,
    hint: 'move "b" before "a"',
    mended: `[{id: b, run: "true"}, {id: a, run: "echo \${b}"}]`,
  },
  {
    what: 'another branch',
    steps: `[{id: p, branches: [{id: a, run: "true"}, {id: b, run: "echo \${a}"}]}]`,
    hint: 'branches do not wait for each other: write `after: [a]` at "b", or read it after "p", where all branches have ended',
    mended: `[{id: p, branches: [{id: a, run: "true"}, {id: b, run: "echo \${a}", after: [a]}]}]`,
  },
  {
    what: 'a step of a loop in another branch',
    steps: `[{id: p, branches: [{id: l, for_each: $draft.json.x, steps: [{id: a, run: "true"}]}, {id: b, run: "echo \${$l.json[0].a}"}]}]`,
    hint: 'branches do not wait for each other: write `after: [l]` at "b", or read it after "p", where all branches have ended',
    mended: `[{id: p, branches: [{id: l, for_each: $draft.json.x, steps: [{id: a, run: "true"}]}, {id: b, run: "echo \${$l.json[0].a}", after: [l]}]}]`,
  },
  {
    what: 'another branch, read after all of them',
    steps: `[{id: p, branches: [{id: a, run: "true"}, {id: g, steps: [{id: b, run: "echo \${a}"}]}]}]`,
    hint: 'branches do not wait for each other: write `after: [a]` at "b", or read it after "p", where all branches have ended',
    mended: `[{id: p, branches: [{id: a, run: "true"}]}, {id: b, run: "echo \${a}"}]`,
  },
  {
    what: 'a step of a graph that is not waited for',
    steps: `[{id: a, run: "true"}, {id: b, run: "echo \${a}", depends_on: [c]}, {id: c, run: "true"}]`,
    hint: 'add "a" to `depends_on` of "b"',
    mended: `[{id: a, run: "true"}, {id: b, run: "echo \${a}", depends_on: [c, a]}, {id: c, run: "true"}]`,
  },
  {
    what: 'a step of a graph that waits for this one',
    steps: `[{id: a, run: "true", depends_on: [b]}, {id: b, run: "echo \${a}"}]`,
    hint: '"a" waits for "b": read it in a step that depends on "a"',
    mended: `[{id: a, run: "true", depends_on: [b]}, {id: b, run: "true"}, {id: c, run: "echo \${a}", depends_on: [a]}]`,
  },
  {
    what: 'a step beside the loop that this one is in, in a graph',
    steps: `[{id: a, run: "true"}, {id: c, run: "true", depends_on: [a]}, {id: l, for_each: $draft.json.x, depends_on: [draft], steps: [{id: b, run: "echo \${a}"}]}]`,
    hint: 'add "a" to `depends_on` of "l"',
    mended: `[{id: a, run: "true"}, {id: c, run: "true", depends_on: [a]}, {id: l, for_each: $draft.json.x, depends_on: [draft, a], steps: [{id: b, run: "echo \${a}"}]}]`,
  },
  {
    what: 'a step of a loop from outside',
    steps: `[{id: l, for_each: $draft.json.x, steps: [{id: a, run: "true"}]}, {id: b, run: "echo \${a}"}]`,
    hint: 'read it in the output of the loop: $l.json[0].a',
    mended: `[{id: l, for_each: $draft.json.x, steps: [{id: a, run: "true"}]}, {id: b, run: "echo \${$l.json[0].a}"}]`,
  },
  {
    what: 'a step of a loop in a branch of a loop',
    steps: `[{id: l, for_each: $draft.json.x, steps: [{id: p, branches: [{id: m, for_each: $draft.json.y, steps: [{id: a, run: "true"}]}]}]}, {id: b, run: "echo \${a}"}]`,
    hint: 'read it in the output of the loop: $l.json[0].p.m[0].a',
    mended: `[{id: l, for_each: $draft.json.x, steps: [{id: p, branches: [{id: m, for_each: $draft.json.y, steps: [{id: a, run: "true"}]}]}]}, {id: b, run: "echo \${$l.json[0].p.m[0].a}"}]`,
  },
  {
    what: 'a step of a loop in a branch, after the branches',
    steps: `[{id: p, branches: [{id: l, for_each: $draft.json.x, steps: [{id: a, run: "true"}]}]}, {id: b, run: "echo \${a}"}]`,
    hint: 'read it in the output of the loop: $l.json[0].a',
    mended: `[{id: p, branches: [{id: l, for_each: $draft.json.x, steps: [{id: a, run: "true"}]}]}, {id: b, run: "echo \${$l.json[0].a}"}]`,
  },
  {
    what: 'a step of a group in a loop',
    steps: `[{id: l, for_each: $draft.json.x, steps: [{id: p, branches: [{id: g, steps: [{id: a, run: "true"}, {id: c, run: "true"}]}]}]}, {id: b, run: "echo \${a}"}]`,
    hint: 'read it in the output of the loop: $l.json[0].p.g',
    mended: `[{id: l, for_each: $draft.json.x, steps: [{id: p, branches: [{id: g, steps: [{id: a, run: "true"}, {id: c, run: "true"}]}]}]}, {id: b, run: "echo \${$l.json[0].p.g}"}]`,
  },
  {
    what: 'the step itself',
    steps: `[{id: a, run: "echo \${a}"}]`,
    hint: 'read it in a step that runs after it',
    mended: `[{id: a, run: "true"}, {id: b, run: "echo \${a}"}]`,
  },
  {
    what: 'the step that holds this one',
    steps: `[{id: l, for_each: $draft.json.x, steps: [{id: c, run: "true"}, {id: a, run: "echo \${l}"}]}]`,
    hint: 'read the steps next to this one',
    mended: `[{id: l, for_each: $draft.json.x, steps: [{id: c, run: "true"}, {id: a, run: "echo \${c}"}]}]`,
  },
  {
    what: 'a step that this one holds',
    steps: '[{id: l, when: a.x, for_each: $draft.json.x, steps: [{id: a, run: "true"}]}]',
    hint: 'read it in a step that runs after "l"',
    mended: '[{id: l, for_each: $draft.json.x, steps: [{id: a, run: "true"}]}, {id: b, when: "$l.json[0].a.x", run: "true"}]',
  },
];

function hintsOf(steps: string): (string | undefined)[] {
  return compilePipeline('pipeline.json', JSON.stringify(fileOf(steps)), SOURCES).diagnostics.map(({ hint }) => hint);
}

function fileOf(steps: string): Json {
  return { ...FILE, steps: [DRAFT, ...(load(steps) as Json[])] };
}

describe('a step that cannot be read from where a reference is', () => {
  it.each(CASES)('$what: the hint names what to change', ({ steps, hint }) => {
    expect(hintsOf(steps)).toEqual([hint]);
  });

  it.each(CASES)('$what: what the hint says compiles', ({ mended }) => {
    expect(errorsOf(fileOf(mended))).toEqual([]);
  });

  it('the steps of `finally` are read within it, later than they run', () => {
    const withFinally = (main: string, last: string): Json => ({ ...FILE, steps: [{ id: 'a', run: main }], finally: load(last) as Json });
    const hints = (file: Json) => compilePipeline('p.json', JSON.stringify(file), SOURCES).diagnostics.map(({ hint }) => hint);
    expect(hints(withFinally(`echo \${f}`, '[{id: f, run: "true"}]'))).toEqual(['read it in a later step of `finally`']);
    expect(errorsOf(withFinally('true', `[{id: f, run: "true"}, {id: g, run: "echo \${f}"}]`))).toEqual([]);
    expect(hints(withFinally('true', `[{id: g, run: "echo \${f}"}, {id: f, run: "true"}]`))).toEqual(['move "f" before "g"']);
  });
});
