import { load } from 'js-yaml';
import { DECISION_COMMANDS } from '../../cli/catalogue/decisions';
import { RUN_COMMANDS } from '../../cli/catalogue/runs';
import { SERVICE_COMMANDS } from '../../cli/catalogue/services';
import { parseSettings } from '../../cli/settings/settings-file';
import { compilePipeline, NO_INSTALLATION, type Sources } from '../../compiler';
import { CATEGORIES } from '../../plan/category';
import { GATE_KINDS } from '../../plan/gate';
import { NOBODY } from '../../plan/people';
import { PROOF_CHANNELS } from '../../plan/proof';
import { SIGNAL_OUTCOMES } from '../../plan/signal';
import { blocksOf, readPage } from './page';

const page = readPage('docs/people.md');
const blocks = blocksOf(page, 'yaml');
const SETTINGS = '# thermidor.yaml\n';
const settings = blocks.filter((text) => text.startsWith(SETTINGS));
const pipelines = blocks.filter((text) => !text.startsWith(SETTINGS) && !text.startsWith('display_information'));

const sources: Sources = {
  read: (path) => {
    if (/^agents\/(chief|writer|editor|treasurer)\.yaml$/.test(path)) return 'role: Works.\nreports_to: human\n';
    return /^schemas\/[A-Za-z_]+\.schema\.json$/.test(path) ? '{"type": "object"}' : undefined;
  },
  list: () => [],
};

describe('docs/people.md', () => {
  const directory = parseSettings('thermidor.yaml', settings[0] ?? '').directory ?? NOBODY;

  it.each(pipelines.map((text) => [text.split('\n')[0], text] as const))('the example that begins %s compiles', (_, text) => {
    const value = load(text);
    const file = Array.isArray(value) ? { name: 'example', owner: 'chief', channels: { '#desk': null }, steps: value } : value;
    const { diagnostics } = compilePipeline('p.json', JSON.stringify(file), sources, { installation: { ...NO_INSTALLATION, directory } });
    expect(diagnostics).toEqual([]);
  });

  it.each(settings.map((text) => [text.split('\n')[1], text] as const))('the settings that begin %s are read', (_, text) => {
    expect(Object.keys(parseSettings('thermidor.yaml', text)).length).toBeGreaterThan(0);
  });

  it('has examples of both, and a manifest that is YAML', () => {
    expect([pipelines.length, settings.length].every((count) => count > 5)).toBe(true);
    const manifest = blocks.find((text) => text.startsWith('display_information'));
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

  it('names commands and options that there are', () => {
    const known = new Map([...DECISION_COMMANDS, ...RUN_COMMANDS, ...SERVICE_COMMANDS].map((command) => [command.name, command] as const));
    const lines = page.match(/(?<=`|^ *|\$ )thermidor (?!run)[a-z]+[^`\n]*/gm) ?? [];
    const wrong = lines.filter((line) => {
      const command = known.get(line.split(' ')[1] ?? '');
      const flags = command?.options?.map(({ flags: text }) => text.split(' ')[0]) ?? [];
      const given = line.replaceAll(/'[^']*'|"[^"]*"|#.*$/g, '').match(/--[a-z][a-z-]*/g) ?? [];
      return !command || given.some((flag) => !flags.includes(flag));
    });
    expect(lines.length).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
  });
});
