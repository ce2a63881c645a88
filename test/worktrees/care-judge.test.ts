import { type JudgeFacts, type JudgePolicy, judgeWorktree, type WorktreeState } from '../../worker/worktrees/judge-worktree';
import type { WorktreeRecord } from '../../worker/worktrees/worktree-record';
import { RECORD } from './record';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-11-23T12:00:00.000Z');
const HERE = { host: RECORD.host, storeId: RECORD.storeId, namespace: RECORD.namespace };
const POLICY: JudgePolicy = { nowMs: NOW, endedMs: HOUR, unknownMs: 7 * DAY };
const ended = (agoMs: number): JudgeFacts => ({ life: { kind: 'ended', atMs: NOW - agoMs } });

type Case = [string, Partial<WorktreeRecord>, JudgeFacts, Partial<JudgePolicy>, WorktreeState, boolean];

test.each<Case>([
  ['of a run that goes on', {}, { life: { kind: 'open' } }, {}, 'in use', false],
  ['of a run that goes on, which a person has named', { keep: true }, { life: { kind: 'open' } }, { named: true }, 'in use', false],
  ['that another host has just taken over', {}, { life: { kind: 'open' }, takenMs: NOW - HOUR + 1 }, {}, 'left over', false],
  ['that another host took over before', {}, { life: { kind: 'open' }, takenMs: NOW - HOUR }, {}, 'left over', true],
  ['of a run that has just ended', {}, ended(HOUR - 1), {}, 'left over', false],
  ['of a run that ended before', {}, ended(HOUR), {}, 'left over', true],
  ['of a run that ends in the server’s future', {}, ended(-HOUR), {}, 'left over', false],
  ['of a run that nobody answers for', { createdAt: '2020-01-01T00:00:00.000Z' }, {}, { named: true }, 'unclear', false],
  ['of a forgotten run, young', { createdAt: at(7 * DAY - 1) }, { life: { kind: 'unknown' } }, {}, 'left over', false],
  ['of a forgotten run, old', { createdAt: at(7 * DAY) }, { life: { kind: 'unknown' } }, {}, 'left over', true],
  ['that is kept', { keep: true }, ended(400 * DAY), {}, 'kept', false],
  ['that is kept, of a forgotten run', { keep: true, createdAt: at(400 * DAY) }, { life: { kind: 'unknown' } }, {}, 'kept', false],
  ['that is kept, and whose run a person has named', { keep: true }, ended(HOUR), { named: true }, 'left over', true],
  ['of another host', { host: 'other' }, ended(400 * DAY), { named: true }, 'another’s', false],
  ['of another state folder', { storeId: '/other' }, ended(400 * DAY), { named: true }, 'another’s', false],
  ['of a state folder that is gone', { storeId: '/other' }, { storeGone: true }, {}, 'left over', false],
  ['of one that is gone, named', { storeId: '/other' }, { storeGone: true }, { named: true }, 'left over', true],
  ['of one that is gone, on another host', { host: 'x', storeId: '/y' }, { storeGone: true }, { named: true }, 'another’s', false],
  ['of another namespace', { namespace: 'other' }, ended(400 * DAY), { named: true }, 'another’s', false],
])('a worktree %s', (_, record, facts, policy, state, remove) => {
  expect(judgeWorktree({ ...RECORD, ...record }, HERE, facts, { ...POLICY, ...policy })).toMatchObject({ state, remove });
});

function at(agoMs: number): string {
  return new Date(NOW - agoMs).toISOString();
}
