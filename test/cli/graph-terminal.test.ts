import { hasUnicode } from '../../cli/rendering/drawing/ascii-marks';
import { drawGraph } from '../../cli/rendering/drawing/draw-graph';
import { widthOf } from '../../cli/rendering/text/printable';
import { graphOf } from '../../plan/graph/graph';
import type { GraphOptions } from '../../plan/graph/graph-model';
import type { Plan } from '../../plan/plan';
import type { Step } from '../../plan/steps/step';
import { PLAN, WITH_CHILD } from './drawn-plan';
import { fakeTerminal } from './fake-terminal';
import { NESTED } from './nested-plan';
import { stepView } from './views';

const { colors } = fakeTerminal();

interface Drawn extends GraphOptions {
  order?: Plan['block']['order'];
  columns?: number;
  unicode?: boolean;
}

function draw(steps: Step[], { order = 'sequence', columns = 60, unicode = true, ...more }: Drawn = {}): string {
  return `\n${drawGraph(graphOf({ ...PLAN, name: 'p', block: { order, steps } }, more), { columns, unicode, colors })}`;
}

const wait = (id: string, ...after: string[]): Step => ({ id, kind: 'wait', forMs: 1, ...(after.length === 0 ? {} : { after }) });
const review: Step = { id: 'judge', kind: 'review', agent: 'r', of: 'draft', onRevise: [{ kind: 'retry', step: 'draft', max: 2 }] };

test('steps in sequence are below each other', () => {
  expect(draw([wait('a'), wait('build it'), wait('c')])).toBe(`
p
   ┌───┐
   │ a │
   └───┘
     │
┌──────────┐
│ build it │
└──────────┘
     │
   ┌───┐
   │ c │
   └───┘
`);
});

test('what can run at once is side by side, and is gathered where a step waits for all of it; a way back keeps to the side that is free', () => {
  expect(
    draw(
      [
        wait('a'),
        wait('b', 'a'),
        wait('c', 'a'),
        { ...review, id: 'd', after: ['b', 'c'], onRevise: [{ kind: 'retry', step: 'b', max: 1 }] },
      ],
      {
        order: 'graph',
      },
    ),
  ).toBe(`
p
             ┌───┐
             │ a │
             └───┘
               │
            ┌──┴───┐
          ┌───┐  ┌───┐
┌────────►│ b │  │ c │
│         └───┘  └───┘
│           └──┬───┘
│              │
│  ┌────────────────────────┐
└──│ d                      │
   │ r                      │
   │ ↺ b: revise, at most 1 │
   └────────────────────────┘
`);
});

test('a step that waits for some of the row above names them', () => {
  expect(draw([wait('a'), wait('b'), wait('c', 'a'), wait('d', 'a', 'b')], { order: 'graph' })).toBe(`
p
       ┌───┐  ┌───┐
       │ a │  │ b │
       └───┘  └───┘
            ┆
┌─────────┐  ┌────────────┐
│ c       │  │ d          │
│ after a │  │ after a, b │
└─────────┘  └────────────┘
`);
});

test('ways back are rails, short ones within long ones, and gates have round corners', () => {
  expect(
    draw([
      wait('first'),
      { id: 'draft', kind: 'agent', agent: 'w' },
      review,
      { id: 'ask', kind: 'approval', channel: '#ops', onReject: [{ kind: 'retry', step: 'first', max: 1 }] },
    ]),
  ).toBe(`
p
            ┌───────┐
            │ first │◄───────────────┐
            └───────┘                │
                │                    │
            ┌───────┐                │
            │ draft │◄─────────────┐ │
            │ w     │              │ │
            └───────┘              │ │
                │                  │ │
  ┌────────────────────────────┐   │ │
  │ judge                      │───┘ │
  │ r                          │     │
  │ ↺ draft: revise, at most 2 │     │
  └────────────────────────────┘     │
                │                    │
╭───────────────────────────────╮    │
│ ask                           │────┘
│ #ops                          │
│ ↺ first: on reject, at most 1 │
╰───────────────────────────────╯
`);
});

test('branches, loops and groups are frames', () => {
  const steps: Step[] = [
    {
      id: 'looks',
      kind: 'parallel',
      join: 'all',
      branches: [wait('x'), { id: 'deep', kind: 'group', block: { order: 'sequence', steps: [wait('y'), wait('z')] } }],
    },
    {
      id: 'each',
      kind: 'for_each',
      items: { kind: 'literal', value: [1] },
      maxConcurrent: 3,
      block: { order: 'sequence', steps: [wait('w')] },
    },
  ] as Step[];
  expect(draw(steps)).toBe(`
p
   ┌─ looks ─────────────┐
   │ side by side, all   │
   │ ┌───┐  ┌─ deep ───┐ │
   │ │ x │  │ in order │ │
   │ └───┘  │  ┌───┐   │ │
   │        │  │ y │   │ │
   │        │  └───┘   │ │
   │        │    │     │ │
   │        │  ┌───┐   │ │
   │        │  │ z │   │ │
   │        │  └───┘   │ │
   │        └──────────┘ │
   └─────────────────────┘
              │
┌─ each ─────────────────────┐
│ loop, each item, 3 at once │
│           ┌───┐            │
│           │ w │            │
│           └───┘            │
└────────────────────────────┘
`);
});

test('what happened in a run comes before the names', () => {
  const steps = [stepView('a', { state: 'done' }), stepView('b', { state: 'failed', round: 2 })];
  expect(draw([wait('a'), wait('b')], { steps })).toBe(`
p
 ┌─────┐
 │ ✓ a │
 └─────┘
    │
┌────────┐
│ ✗ b #2 │
└────────┘
`);
});

test('without Unicode it is the same picture in ASCII', () => {
  expect(draw([{ id: 'draft', kind: 'agent', agent: 'w' }, review, { id: 'ask', kind: 'approval' }], { unicode: false })).toBe(`
p
          +-------+
          | draft |<------------+
          | w     |             |
          +-------+             |
              |                 |
+----------------------------+  |
| judge                      |--+
| r                          |
| @ draft: revise, at most 2 |
+----------------------------+
              |
           .-----.
           | ask |
           '-----'
`);
});

test('wide characters and accents take the columns that a terminal gives them', () => {
  expect(draw([wait('研究报告'), wait('🚀 launch'), wait('naïve é')])).toBe(`
p
 ┌──────────┐
 │ 研究报告 │
 └──────────┘
      │
┌───────────┐
│ 🚀 launch │
└───────────┘
      │
 ┌─────────┐
 │ naïve é │
 └─────────┘
`);
});

test('what has no room side by side goes on below', () => {
  expect(
    draw([wait('a'), ...['one', 'two', 'three', 'four'].map((id) => wait(id, 'a')), wait('z', 'one', 'two', 'three', 'four')], {
      order: 'graph',
      columns: 24,
    }),
  ).toBe(`
p
       ┌───┐
       │ a │
       └───┘
         │
     ┌───┴────┐
  ┌─────┐  ┌─────┐
  │ one │  │ two │
  └─────┘  └─────┘
         ∥
┌───────┐  ┌──────┐
│ three │  │ four │
└───────┘  └──────┘
    └────┬────┘
         │
       ┌───┐
       │ z │
       └───┘
`);
});

describe('whatever is drawn', () => {
  const long = 'x'.repeat(100);
  const many = Array.from({ length: 200 }, (_, i) => wait(`step-${i}`));
  const deep = (depth: number): Step =>
    depth === 0
      ? wait(long)
      : { id: `g${depth}`, kind: 'group', block: { order: 'sequence', steps: [deep(depth - 1), wait('研究'.repeat(30))] } };

  it.each<[string, string, number?]>([
    ['200 steps in sequence', draw(many, { columns: 40 })],
    ['200 steps at once', draw(many, { order: 'graph', columns: 40 })],
    ['names of 100 characters', draw([wait(long), wait(`${long}y`)], { columns: 40 })],
    ['frames that are deeper than the terminal is wide', draw([deep(15)], { columns: 40 })],
    ['a terminal of hardly any columns', draw([wait(long), review], { columns: 7 }), 7],
    ['blocks within blocks', `${drawGraph(graphOf(NESTED, WITH_CHILD), { columns: 40, unicode: true, colors })}`],
  ])('is no wider than the terminal: %s', (_, text, columns = 40) => {
    for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  });

  it('has each step once, those of a child pipeline and of `finally` too', () => {
    const text = drawGraph(graphOf(NESTED, WITH_CHILD), { columns: 100, unicode: true, colors });
    for (const name of ['intel', 'fetch', 'dig', 'judge', 'lint', 'accept', 'accept approval', 'push', 'allow', 'size', 'pipe', 'tell']) {
      expect(text.match(new RegExp(`│ ${name} +│`, 'g'))).toHaveLength(1);
    }
    expect(text).toMatch(/┌─ ship ─/);
    expect(text).toMatch(/┌─ finally ─/);
  });

  it('is ASCII alone if that is asked for', () => {
    expect(drawGraph(graphOf(NESTED, WITH_CHILD), { columns: 60, unicode: false, colors })).toMatch(/^[\x20-\x7e\n]+$/);
  });
});

test.each([
  [{ LANG: 'C.UTF-8' }, true],
  [{ LANG: 'de_DE.utf8' }, true],
  [{ LC_ALL: 'C', LANG: 'en_US.UTF-8' }, false],
  [{ LC_CTYPE: 'en_US.ISO-8859-1' }, false],
  [{}, false],
])('whether there is Unicode is said by the locale: %j', (env, expected) => {
  expect(hasUnicode(env)).toBe(expected);
});
