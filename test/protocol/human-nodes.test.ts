import { join } from 'node:path';
import type { ChannelMessage } from '../../activities/channel-port';
import { discordMessage } from '../../channels/discord/message';
import { readSettingsFile, SETTINGS_FILE } from '../../cli/settings/settings-file';
import { CATEGORIES, type Category } from '../../plan/people/category';
import { type Directory, NOBODY } from '../../plan/people/people';
import { runWhole } from '../support/whole-run';

/**
 * Actions that need the chairman's yes are announced in `#approvals`, with a mention of the chairman, as this repository's settings say.
 */

const { channels = {}, directory = NOBODY } = readSettingsFile(join(__dirname, '../..', SETTINGS_FILE), SETTINGS_FILE);
const CHAIRMAN = '123456789012345678';
/** The settings do not name the chairman's Discord account, because each installation has its own. */
const people: Directory = {
  ...directory,
  people: { ...directory.people, chairman: { ...directory.people['chairman'], discord: CHAIRMAN } },
};

const ROWS = {
  'executing a quantitative strategy': ['execute_strategy', '{id: act, run: "echo trade", category: execute_strategy}'],
  'a formal deployment': ['deploy', '{id: act, run: "echo deploy", category: deploy}'],
  'a change of the database’s schema': ['database_schema', '{id: act, run: "echo migrate", category: database_schema}'],
  'publishing an advertisement': ['advertise', '{id: act, run: "echo advertise", category: advertise}'],
  'sending a message outside': [
    'message_outside',
    '{id: act, notify: {channel: "#approvals", message: Hello.}, category: message_outside}',
  ],
  'moving money': ['move_money', '{id: act, run: "echo pay", category: move_money}'],
} as const satisfies Record<string, readonly [Category, string]>;

function asked(step: string) {
  const sent: ChannelMessage[] = [];
  const adapter = { name: 'test', serves: () => true, deliver: async (message: ChannelMessage) => void sent.push(message) };
  const run = runWhole(`steps:\n  - ${step}\n`, { place: { channels, directory: people }, toolbox: { channelAdapters: [adapter] } });
  return { run, sent };
}

describe('the chairman approves', () => {
  it('is said about every category', () => {
    expect(Object.values(ROWS).map(([category]) => category)).toEqual([...CATEGORIES]);
  });

  it.each(Object.entries(ROWS))(
    '%s is asked for in #approvals, with a mention of the chairman, and nobody else may say yes',
    async (_, [category, step]) => {
      const { run, sent } = asked(step);
      await run.quiet();
      expect(run.status().gates).toMatchObject([{ step: 'act', category, channel: '#approvals', approvers: ['chairman'] }]);
      expect(sent).toMatchObject([{ channel: '#approvals', kind: 'gate', gate: { approvers: ['chairman'] } }]);
      expect(sent[0]?.text).toMatch(/^@chairman /);
      const { content, allowed_mentions } = discordMessage(sent[0] as ChannelMessage, people);
      expect(content).toMatch(new RegExp(`^<@${CHAIRMAN}> `));
      expect(allowed_mentions).toEqual({ parse: [], users: [CHAIRMAN], roles: [] });

      const reason = 'may not decide on act; approvers: chairman';
      await expect(run.update('approve', { by: 'mallory' })).rejects.toMatchObject({
        outcome: 'refused',
        message: expect.stringContaining(reason),
      });
      run.signal('approve', { by: 'mallory' });
      run.signal('approve', {});
      await run.quiet();
      expect(run.status().gates).toHaveLength(1);
      expect((await run.journal()).filter((entry) => entry.kind === 'signal')).toMatchObject([
        { outcome: 'refused', reason: expect.stringContaining(reason) },
        { outcome: 'refused', reason: expect.stringContaining('nobody is named') },
      ]);

      // The plain Temporal command line sends this signal. It proves nothing, and is enough if no proof is required.
      run.signal('approve', { by: 'chairman' });
      await run.completes();
    },
  );

  it('decides when a block comes up, advised by the CEO', async () => {
    const pipeline =
      'owner: lead\nsteps:\n  - {id: draft, agent: w}\n  - {id: check, type: review, agent: r, of: draft, on_block: escalate(boss)}\n';
    const script =
      'replies:\n  draft: [{text: it}]\n  check: [{json: {verdict: block}}]\n  check@boss: [{json: {decision: pass, rationale: The risk is ours.}}]\n';
    const run = runWhole(pipeline, { script, place: { channels, directory: people } });
    await run.quiet();
    const said = [{ agent: 'boss', said: 'advises to let it pass: The risk is ours.', advice: 'pass' }];
    expect(run.status().gates).toMatchObject([{ step: 'check', channel: '#approvals', approvers: ['chairman'], said }]);
    expect(run.notices).toMatchObject([
      { channel: '#approvals', text: expect.stringMatching(/^@chairman [\s\S]*boss advises to let it pass/) },
    ]);
    await expect(run.update('approve', { by: 'boss' })).rejects.toMatchObject({ outcome: 'refused' });
    await run.update('reject', { by: 'chairman' });
    await expect(run.result).resolves.toMatchObject({ status: 'rejected' });
  });

  it('does not decide if a gate says that anyone may', async () => {
    const { run } = asked('{id: act, type: hitl, channel: "#approvals", approvers: anyone}');
    await run.quiet();
    expect(run.status().gates[0]?.approvers).toBeUndefined();
    await run.update('approve', { by: 'ann' });
    await expect(run.result).resolves.toMatchObject({ status: 'completed' });
  });
});
