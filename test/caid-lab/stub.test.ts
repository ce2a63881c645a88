import { fileGraph } from '../../bench/caid/file-graph';
import { functionsAtLoad } from '../../bench/caid/load-time';
import { parseSource } from '../../bench/caid/parse-source';
import { restore, stubFile } from '../../bench/caid/stub';
import { unitGraph } from '../../bench/caid/unit-graph';

const never = (): boolean => false;

test('bodies of declarations, expressions, arrows, methods, getters and constructors are taken out, and come back', () => {
  const text = `'use strict'
const wide = 'é𝄞' // é
function plain (a, b = () => 1) { return a }
const arrow = (a) => a + 1
const object = (a) => ({ a })
const block = async (a) => { await a }
class Base { constructor () { this.x = 1 } get size () { return 1 } static make () { return new Base() } #own () {} field = () => 2 }
class Derived extends Base { constructor () { super(); this.y = 2 } * [Symbol.iterator] () { yield 1 } }
Base.prototype.late = function () { return function inner () { return 'é' } }
module.exports = { plain, short () { return 1 }, get one () { return 1 }, old: function () { return 2 } }
`;
  const { text: stubbed, stubs } = stubFile('a.js', text, never);
  expect(stubs.map(({ name }) => name)).toEqual([
    ...['plain~2', 'plain', 'arrow', 'object', 'block', 'Base.constructor', 'Base.size', 'Base.make', 'Base.own', 'Base.field'],
    ...['Derived.constructor', 'Derived', 'Base.prototype.late', 'module.exports.short', 'module.exports.one', 'module.exports.old'],
  ]);
  expect(stubbed).toContain("const arrow = (a) => { throw new Error('not implemented: a.js#arrow') }\n");
  expect(stubbed).toContain("const wide = 'é𝄞' // é\nfunction plain (a, b = () => ");
  expect(stubbed).not.toContain('return');
  expect(() => parseSource(stubbed)).not.toThrow();
  expect(restore(stubbed, stubs)).toBe(text);
});

test('of a function that runs while the library loads, only what is within it and does not run is taken out', () => {
  const tree = new Map([
    ['package.json', '{"type":"module"}'],
    ['a.js', "import { make } from './b.js'\nexport const made = make()\n"],
    [
      'b.js',
      'export function make () { const inner = () => 1; return { inner, used: (() => 2)() } }\nexport function other () { return 3 }\n',
    ],
  ]);
  const atLoad = functionsAtLoad(tree);
  expect([...atLoad].sort()).toEqual(['b.js#make', 'b.js#make.used']);
  const { text } = stubFile('b.js', tree.get('b.js') ?? '', (name) => atLoad.has(`b.js#${name}`));
  expect(text).toBe(
    "export function make () { const inner = () => { throw new Error('not implemented: b.js#make.inner') }; return { inner, used: (() => 2)() } }\n" +
      "export function other () { throw new Error('not implemented: b.js#other') }\n",
  );
});

test('files that import each other are one unit, and a file without stubs leads on to what it imports', () => {
  const tree = new Map([
    ['package.json', '{"name":"own","exports":{"./c":"./c.js"}}'],
    ['a.js', "require('./b'); exports.a = () => 1"],
    ['b.js', "exports.b = () => require('./a'); require('own/c')"],
    ['c.js', "module.exports = require('.')"],
    ['index.js', "export * from './d.js'; import('./folder')"],
    ['d.js', 'export const d = () => 1'],
    ['folder/index.js', "require('node:fs'); require('./gone'); exports.f = () => 1"],
  ]);
  const files = fileGraph(tree);
  expect(Object.fromEntries(files)).toEqual({
    'a.js': ['b.js'],
    'b.js': ['a.js', 'c.js'],
    'c.js': ['index.js'],
    'index.js': ['d.js', 'folder/index.js'],
    'd.js': [],
    'folder/index.js': [],
  });
  const stubbed = new Map(['a.js', 'b.js', 'd.js', 'folder/index.js'].map((path) => [path, stubFile(path, tree.get(path) ?? '', never)]));
  const { units } = unitGraph(files, stubbed, {
    'test/d.js': ['d.js'],
    'test/all.js': [...stubbed.keys()],
    'test/af.js': ['d.js', 'folder/index.js'],
  });
  expect(units.map(({ id, files: own, depends_on, acceptance }) => ({ id, own, depends_on, command: acceptance?.command }))).toEqual([
    {
      ...{ id: 'a', own: ['a.js', 'b.js'], depends_on: ['d', 'folder-index'] },
      command: 'node --test-reporter=tap lab/ready-tests.mjs test/all.js',
    },
    { id: 'd', own: ['d.js'], depends_on: [], command: 'node --test-reporter=tap lab/ready-tests.mjs test/d.js' },
    { id: 'folder-index', own: ['folder/index.js'], depends_on: [], command: undefined },
  ]);
});
