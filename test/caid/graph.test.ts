import { checkGraph, cycles, graphWarnings, overlaps, reaches } from '../../kinds/caid/rules/check-graph';
import { mendGraph } from '../../kinds/caid/rules/mend-graph';
import { type GraphUnit, MOST_UNITS, type TaskGraph } from '../../kinds/caid/rules/task-graph';
import { chance } from './chance';

function unit(id: string, depends_on: string[] = [], more: Partial<GraphUnit> = {}): GraphUnit {
  return { id, title: id, description: `make ${id}`, files: [`src/${id}.js`], depends_on, ...more };
}

const graph = (...units: GraphUnit[]): TaskGraph => ({ units });
const kinds = (of: TaskGraph) => checkGraph(of).map(({ kind }) => kind);

describe('a manager’s graph', () => {
  it('that is sound has no problems', () => {
    expect(checkGraph(graph(unit('a'), unit('b', ['a']), unit('c', ['a', 'b'])))).toEqual([]);
  });

  it('has at least one unit, and no more than there may be', () => {
    expect(kinds(graph())).toEqual(['none']);
    expect(kinds(graph(...Array.from({ length: MOST_UNITS }, (_, i) => unit(`u${i}`))))).toEqual([]);
    expect(kinds(graph(...Array.from({ length: 200 }, (_, i) => unit(`u${i}`))))).toEqual(['many']);
  });

  it('is refused with all that is wrong with it', () => {
    const wrong = graph(
      unit('a', ['nobody']),
      unit('b', ['c']),
      unit('c', ['b']),
      unit('a'),
      unit('d', ['d'], { files: ['../x', '/etc/passwd', 'a//b', '.git/config', './x'] }),
      unit('e', [], { files: ['src/b.js'] }),
    );
    expect(checkGraph(wrong).map(({ kind, units }) => [kind, ...units])).toEqual([
      ['duplicate', 'a'],
      ['unknown', 'a'],
      ['path', 'd'],
      ['path', 'd'],
      ['path', 'd'],
      ['path', 'd'],
      ['path', 'd'],
      ['cycle', 'b', 'c'],
      ['cycle', 'd'],
      ['overlap', 'b', 'e'],
    ]);
    expect(() => mendGraph(wrong, checkGraph(wrong))).toThrow();
  });

  it('may divide a file by functions, and not give a function to two', () => {
    const shares = { files: ['big.js'] };
    expect(kinds(graph(unit('a', [], { ...shares, functions: ['f'] }), unit('b', [], { ...shares, functions: ['g'] })))).toEqual([]);
    expect(kinds(graph(unit('a', [], { ...shares, functions: ['f'] }), unit('b', [], { ...shares, functions: ['f', 'g'] })))).toEqual([
      'overlap',
    ]);
    expect(kinds(graph(unit('a', [], { ...shares, functions: ['f'] }), unit('b', [], shares)))).toEqual(['overlap']);
  });

  it('may have one file owned by units that wait for each other', () => {
    expect(kinds(graph(unit('a', [], { files: ['x'] }), unit('b', ['a']), unit('c', ['b'], { files: ['x'] })))).toEqual([]);
  });

  it('of one unit has a warning', () => {
    expect(graphWarnings(graph(unit('a')))).toHaveLength(1);
    expect(graphWarnings({ ...graph(unit('a'), unit('b')), warnings: ['no tests'] })).toEqual(['no tests']);
  });
});

describe('a graph that is mended', () => {
  it('has one unit in place of a cycle, which all others that named one of it wait for', () => {
    const wrong = graph(
      unit('a', ['b'], { acceptance: { command: 'test a' } }),
      unit('b', ['c', 'x'], { acceptance: { command: 'test b' } }),
      unit('c', ['a']),
      unit('x'),
      unit('y', ['c']),
    );
    const { graph: mended, changes } = mendGraph(wrong, checkGraph(wrong));
    expect(mended.units.map(({ id, depends_on }) => [id, ...depends_on])).toEqual([['a', 'x'], ['x'], ['y', 'a']]);
    expect(mended.units[0]).toMatchObject({
      files: ['src/a.js', 'src/b.js', 'src/c.js'],
      acceptance: { command: '(test a\n) && (test b\n)' },
    });
    expect(changes).toHaveLength(1);
  });

  it('lets the later of two that own the same wait for the earlier', () => {
    const wrong = graph(unit('a', [], { files: ['x'] }), unit('b', [], { files: ['x'] }), unit('c', [], { files: ['x'] }));
    const { graph: mended, changes } = mendGraph(wrong, checkGraph(wrong));
    expect(mended.units.map(({ depends_on }) => depends_on)).toEqual([[], ['a'], ['a', 'b']]);
    expect(changes).toHaveLength(3);
  });

  it.each(Array.from({ length: 200 }, (_, seed) => seed))('is sound, and loses no file and no dependency (order %i)', (seed) => {
    const pick = chance(seed);
    const count = 1 + pick(12);
    const wrong = graph(
      ...Array.from({ length: count }, (_, i) => {
        const depends = Array.from({ length: pick(3) }, () => `u${pick(count)}`);
        const functions = pick(3) === 0 ? { functions: [`f${pick(3)}`] } : {};
        return unit(`u${i}`, [...new Set(depends)], { files: [`f${pick(8)}`], ...functions });
      }),
    );
    const problems = checkGraph(wrong);
    const { graph: mended, changes } = mendGraph(wrong, problems);
    expect(checkGraph(mended)).toEqual([]);
    expect(changes.length > 0).toBe(problems.length > 0);
    expect(new Set(mended.units.flatMap(({ files }) => files))).toEqual(new Set(wrong.units.flatMap(({ files }) => files)));
    const groups = cycles(wrong.units);
    const owner = (id: string) => groups.find((group) => group.includes(id))?.[0] ?? id;
    const after = reaches(mended.units);
    for (const { id, depends_on } of wrong.units) {
      for (const other of depends_on) expect(owner(id) === owner(other) || after.get(owner(id))?.has(owner(other))).toBe(true);
    }
    expect(overlaps(mended.units)).toEqual([]);
  });
});
