import { createHash } from 'node:crypto';
import type { Advance, Evidence, Violation } from './evidence';
import { git, lines } from './git-command';
import { advancesOf, judgeAdvances } from './judge-advances';
import { judgeLeftovers } from './judge-leftovers';

/** All violations of a run; empty if it is proven. Of the engine's own report only the assignments count, with their bases. */
export function judge(evidence: Evidence): Violation[] {
  const advances = advancesOf(evidence);
  return [
    ...judgeTree(evidence),
    ...judgeAdvances(evidence, advances),
    ...judgeMerges(evidence, advances),
    ...judgeDispatch(evidence, advances),
    ...judgeOrder(evidence),
    ...judgeLeftovers(evidence),
  ];
}

/** The final tree is the reference, byte for byte. */
function judgeTree({ repository, branch, reference }: Evidence): Violation[] {
  const isBlob = (text: string): string =>
    createHash('sha1')
      .update(`blob ${Buffer.byteLength(text)}\0${text}`)
      .digest('hex');
  const wanted = new Map([...reference].map(([path, text]) => [path, isBlob(text)]));
  const found = new Map(
    lines(git(repository, 'ls-tree', '-r', '-z', `refs/heads/${branch}`).replaceAll('\0', '\n')).map((line) => {
      const [meta = '', path = ''] = line.split('\t');
      return [path, meta.split(' ')[2] ?? ''];
    }),
  );
  const paths = [...new Set([...wanted.keys(), ...found.keys()])].sort().filter((path) => wanted.get(path) !== found.get(path));
  const what = (path: string): string =>
    !found.has(path) ? 'is missing' : !wanted.has(path) ? 'is too many' : 'is not as in the reference';
  return paths.map((path) => ({ kind: 'tree', message: `${path} ${what(path)}` }));
}

/** Checks that a task is merged once: when the target first has a change of its files. The queue's report agrees with the branch. */
function judgeMerges({ units, merged }: Evidence, advances: readonly Advance[]): Violation[] {
  return units.flatMap(({ id }): Violation[] => {
    const [landed, said] = [landings(id, advances), merged.filter(({ task }) => task === id)];
    const one: Violation[] = [];
    if (landed.length === 0) one.push({ kind: 'not-merged', message: `no advance has the files of ${id}` });
    if (landed.length > 1)
      one.push({ kind: 'merged-twice', message: `${id} was merged by ${landed.map(({ commit }) => commit).join(', ')}` });
    if (said.length > 1) one.push({ kind: 'merged-twice', message: `the queue says so ${said.length} times of ${id}` });
    const wrong = said.filter(({ result }) => !landed.some(({ commit }) => commit === result));
    if (said.length === 0) one.push({ kind: 'not-merged', message: `the queue does not say that ${id} was merged` });
    return [
      ...one,
      ...wrong.map(
        ({ result }): Violation => ({ kind: 'not-merged', message: `${result}, which the queue names for ${id}, is no advance of it` }),
      ),
    ];
  });
}

/** Checks that an assignment's base contains everything that it depends on. */
function judgeDispatch({ repository, units, dispatched }: Evidence, advances: readonly Advance[]): Violation[] {
  const isIn = new Map(dispatched.map(({ base }) => [base, new Set(lines(git(repository, 'rev-list', base)))]));
  return dispatched.flatMap(({ task, base }): Violation[] => {
    const unit = units.find(({ id }) => id === task);
    if (!unit) return [{ kind: 'early', message: `${task} was dispatched, and is none of the units` }];
    const missing = unit.depends_on.filter((one) => !landings(one, advances).some(({ commit }) => isIn.get(base)?.has(commit)));
    return missing.map((one) => ({ kind: 'early', message: `${task} was dispatched from ${base}, which does not have ${one}` }));
  });
}

function landings(task: string, advances: readonly Advance[]): Advance[] {
  return advances.filter(({ tasks }) => tasks.includes(task));
}

/** Checks by the journal alone that nothing is assigned before its dependencies are merged, and nothing is merged that was not assigned. */
function judgeOrder({ units, journal }: Evidence): Violation[] {
  return journal.flatMap(({ event, task }, i): Violation[] => {
    const before = (kind: 'assigned' | 'merged', id: string): boolean =>
      journal.slice(0, i).some((one) => one.event === kind && one.task === id);
    if (event === 'merged') return before('assigned', task) ? [] : [{ kind: 'early', message: `${task} was merged, and never assigned` }];
    const missing = (units.find(({ id }) => id === task)?.depends_on ?? []).filter((id) => !before('merged', id));
    return missing.map((id) => ({ kind: 'early', message: `the journal has ${task} assigned before ${id} was merged` }));
  });
}
