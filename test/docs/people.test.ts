import { load } from 'js-yaml';
import { CATEGORIES } from '../../plan/people/category';
import { GATE_KINDS } from '../../plan/people/gate';
import { PROOF_CHANNELS } from '../../plan/people/proof';
import { SIGNAL_OUTCOMES } from '../../plan/run/signal';
import { blocksOf, readPage } from './page';

const page = readPage('docs/people.md');

describe('docs/people.md', () => {
  it('has a manifest for Slack that is YAML', () => {
    const manifest = blocksOf(page, 'yaml').find((text) => text.startsWith('# slack-app.yaml\n'));
    expect(load(manifest ?? '')).toMatchObject({
      oauth_config: { scopes: { bot: ['incoming-webhook'] } },
      settings: { interactivity: { is_enabled: true } },
    });
  });

  it('has a paragraph for each key of an approval’s policy', () => {
    const policy = ['approvers', 'quorum', 'four_eyes', 'choices', 'comment', 'identity', 'timeout', 'on_timeout', 'remind'];
    for (const key of policy) expect(page).toMatch(new RegExp(`^\\*\\*.*\`${key}(: \\w+)?\`.*\\*\\*:`, 'm'));
  });

  it('names each category, kind of gate, outcome, and way to prove who one is', () => {
    const unknown = (outcome: string) => outcome !== 'unknown';
    for (const outcome of SIGNAL_OUTCOMES.filter(unknown)) expect(page).toContain(`| \`${outcome}\` |`);
    for (const kind of GATE_KINDS) expect(page).toMatch(new RegExp(`^\\| ${kind} \\|`, 'm'));
    for (const word of [...CATEGORIES, ...PROOF_CHANNELS]) expect(page).toContain(`\`${word}\``);
  });
});
