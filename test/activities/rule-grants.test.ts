import { PERFORM } from '../../activities/perform';
import type { CostCategory } from '../../plan/brief/category';
import type { ApplyRuleInput } from '../../plan/patterns/rule';
import { agent } from '../support/steps';
import { KEY, workshop } from './workshop';

/** A rule that asks for them reads the lasting grants of a project, and of no other one. */
const DELETES = 'I will delete all files in src.';
const KILLS = 'I will kill the server process.';
const FLAGGED = { kind: 'execution', flag: { kind: 'destructive' } };
it.each<[string, CostCategory, string, object, { noShell?: true }?]>([
  ['acme', 'filesystem_delete', DELETES, { kind: 'execution' }],
  ['acme', 'git_push', DELETES, FLAGGED],
  ['other', 'filesystem_delete', DELETES, FLAGGED],
  ['acme', 'shell_exec', KILLS, { kind: 'execution' }],
  ['acme', 'shell_exec', KILLS, FLAGGED, { noShell: true }],
  ['acme', 'filesystem_delete', DELETES, { kind: 'execution' }, { noShell: true }],
])('granted to %s: %s, and "%s" is said', async (project, category, said, values, more = {}) => {
  const shop = workshop({});
  await shop.open([agent('a')]);
  await shop.toolbox.grants.add({ id: 'r/1/x', project, categories: [category], at: '2026-11-29T10:00:00.000Z', run: 'r' });
  const reply = await shop.artifacts.put(said, { mediaType: 'text/plain' });
  const input: ApplyRuleInput = {
    ...{ run: KEY.run, at: 'a#1~1', as: 'hand-off-1', grantsOf: 'acme' },
    call: { rule: 'hand-off', given: { authorized: [], ...more } },
    documents: { reply },
  };
  const output = await PERFORM.applyRule(shop.toolbox, shop.call('a#1~1/hand-off-1'), input);
  expect(output.values).toMatchObject(values);
  if (!('flag' in values)) expect(output.values).not.toHaveProperty('flag');
});
