import { DEFAULT_RESTRICTED, ownedByOthers, restrictedFor } from '../../kinds/caid/rules/restricted';
import type { GraphUnit } from '../../kinds/caid/rules/task-graph';

function unit(id: string, files: string[]): GraphUnit {
  return { id, title: id, description: id, files, depends_on: [] };
}

const UNITS = [unit('a', ['src/a.js', 'shared.js']), unit('b', ['src/b.js', 'shared.js']), unit('c', ['lib']), unit('d', ['lib/d.js'])];

describe('files that other tasks own', () => {
  it.each([
    ['a', ['src/a.js', 'shared.js'], ['src/b.js of b', 'lib of c', 'lib/d.js of d']],
    // A folder and the files in it belong to both.
    ['c', ['lib'], ['src/a.js of a', 'shared.js of a', 'src/b.js of b', 'shared.js of b']],
    ['d', ['lib/d.js'], ['src/a.js of a', 'shared.js of a', 'src/b.js of b', 'shared.js of b']],
  ])('are not those of %s', (id, files, expected) => {
    expect(ownedByOthers(UNITS, [id], files).map(({ path, unit: owner }) => `${path} of ${owner}`)).toEqual(expected);
  });

  it('are all but both’s if one engineer does two', () => {
    expect(ownedByOthers(UNITS, ['a', 'b'], ['src/a.js', 'src/b.js', 'shared.js']).map(({ path }) => path)).toEqual(['lib', 'lib/d.js']);
  });
});

describe('the patterns of what is restricted', () => {
  const said = { step: ['package.json', '!docs'], manager: ['!package.json', 'src/index.js'] };

  it('lift the default set for a task’s own files, and for no other of the same name', () => {
    const patterns = restrictedFor(['src/index.js'], { step: [], manager: [] });
    expect(patterns).toEqual([...DEFAULT_RESTRICTED, '!/src/index.js']);
  });

  it('have what step and manager say after that, whatever a task owns, and a manager lifts nothing', () => {
    expect(restrictedFor(['src/index.js'], said).slice(DEFAULT_RESTRICTED.length)).toEqual([
      ...['!/src/index.js', '\\!package.json', 'src/index.js'],
      ...['package.json', '!docs'],
    ]);
  });

  it('have the names of others’ files as they are, and no wildcards', () => {
    const odd = ['a*.js', 'b?.js', '[c].js', 'd\\.js', '!e.js', 'README'];
    const patterns = restrictedFor(
      [],
      { step: [], manager: [] },
      odd.map((path) => ({ path, unit: 'x' })),
    );
    expect(patterns.slice(DEFAULT_RESTRICTED.length)).toEqual(['/a\\*.js', '/b\\?.js', '/\\[c\\].js', '/d\\\\.js', '/!e.js', '/README']);
  });
});
