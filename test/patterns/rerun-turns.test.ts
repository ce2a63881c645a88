import { coder, playBoard } from '../interpreter/board-play';
import { play as team, unit } from '../interpreter/team-play';
import type { World } from '../support/world';
import { play as consensus } from './consensus-play';
import { play as consult } from './consult-play';
import { play as escalate } from './escalate-play';
import { chain, deliver, failsAt } from './increments-play';
import { play as swarm } from './swarm-play';
import { play as tracks } from './tracks-play';

/** A rerun from a turn of a pattern: each that there has been can be named, and the one after the last is refused. */

const KINDS: [kind: string, play: () => { world: World }][] = [
  ['consensus', () => consensus({ a: { conditions: ['keep it'] }, b: {}, c: {} })],
  ['consult', () => consult({ says: { consultant: 0.5, second_opinion: 0.95 } })],
  ['escalate', () => escalate({ says: { s: 'solved' } })],
  ['swarm', () => swarm()],
  ['tracks', () => tracks()],
  ['caid', () => team({ units: [unit('a'), unit('b', ['a'])] })],
  ['board', () => playBoard({ tasks: [{ subject: 'one' }], step: { members: [coder('alice')] } })],
  ['increments', () => deliver({ tasks: chain(2), fails: failsAt('syntax_clean', '2.1') })],
];

test.each(KINDS)('%s', async (_, play) => {
  const { world } = play();
  await world.elapse();
  for (let i = 0; i < 12; i++) await world.settle();
  const started = [...new Set(world.order().map((address) => address.replace(/#.*/, '')))].filter((path) => path.includes(']/'));
  const turns = started.map((path) => Number(/\[(\d+)\]/.exec(path)?.[1]));
  const last = Math.max(...turns);
  expect(last).toBeGreaterThanOrEqual(1);
  for (const from of started) expect(world.query('carry', { from })).not.toHaveProperty('problem');
  const [first = ''] = started;
  const beyond = first.replace(/\[\d+\]/, `[${last + 1}]`);
  const range = last === 1 ? 'only 1' : `1 to ${last}`;
  expect(world.query('carry', { from: beyond })).toEqual({
    problem: `${first.replace(/\[.*/, '')} has no turn ${last + 1}: it has ${range}`,
  });
});
