import { load } from 'js-yaml';
import { CATEGORIES } from '../../plan/people/category';
import { GATE_KINDS } from '../../plan/people/gate';
import { PROOF_CHANNELS } from '../../plan/people/proof';
import { SIGNAL_OUTCOMES } from '../../plan/run/signal';
import { blocksOf, readPage } from './page';

const gates = readPage('docs/gates.md');

describe('the pages on people', () => {
  it('has a manifest for Slack that is YAML', () => {
    const manifest = blocksOf(readPage('docs/channels.md'), 'yaml').find((text) => text.startsWith('# slack-app.yaml\n'));
    expect(load(manifest ?? '')).toMatchObject({
      oauth_config: { scopes: { bot: ['incoming-webhook'] } },
      settings: { interactivity: { is_enabled: true } },
    });
  });

  it('has a paragraph for each key of an approval’s policy', () => {
    const policy = ['approvers', 'quorum', 'four_eyes', 'choices', 'comment', 'identity', 'timeout', 'on_timeout', 'remind'];
    for (const key of policy) expect(gates).toMatch(new RegExp(`^\\*\\*.*\`${key}(: \\w+)?\`.*\\*\\*:`, 'm'));
  });

  it('names each category, kind of gate, outcome, and way to prove who one is', () => {
    const unknown = (outcome: string) => outcome !== 'unknown';
    for (const outcome of SIGNAL_OUTCOMES.filter(unknown)) expect(gates).toContain(`| \`${outcome}\` |`);
    for (const kind of GATE_KINDS) expect(gates).toMatch(new RegExp(`^- \\*\\*${kind}\\*\\* opens `, 'm'));
    for (const category of CATEGORIES) expect(gates).toContain(`\`${category}\``);
    for (const channel of PROOF_CHANNELS) expect(readPage('docs/identity.md')).toContain(`\`${channel}\``);
  });
});
