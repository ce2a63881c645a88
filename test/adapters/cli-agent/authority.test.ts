import { grantedTools } from '../../../activities/adapters/cli-agent/adapter';
import type { Granted } from '../../../activities/adapters/cli-agent/preset';
import { PRESETS } from '../../../activities/adapters/cli-agent/presets';
import type { AgentTools } from '../../../activities/agent-port';
import { CLI_PRESETS, type CliPreset } from '../../../plan/agents/adapter';
import type { ProgramTool } from '../../../plan/agents/tool-names';
import { AGENT, asking } from './asking';

const of = (...tools: ProgramTool[]): Granted => new Set(tools);
const specs = (...names: string[]): AgentTools => ({
  specs: names.map((name) => ({ name, description: '', parameters: {} })),
  call: async () => ({ text: '' }),
});

describe('what a program may use', () => {
  test('is nothing if the agent lists nothing', () => expect([...grantedTools({ agent: AGENT })]).toEqual([]));

  test('is what the agent lists and the step allows, and no tool of the runner alone', () => {
    const agent = { ...AGENT, tools: ['read_file', 'run', 'sessions_spawn', 'mcp__docs'] };
    expect([...grantedTools({ agent })]).toEqual(['read_file', 'run']);
    expect([...grantedTools({ agent, tools: specs('read_file', 'sessions_spawn') })]).toEqual(['read_file']);
  });

  test('is no tool that needs a person for each call', () => {
    const agent = { ...AGENT, tools: ['read_file', 'run'], categories: { deploy: ['run'] } };
    expect([...grantedTools({ agent })]).toEqual(['read_file']);
  });
});

describe('the flags of', () => {
  test.each<[string, Granted, string[]]>([
    ['nothing', of(), ['--tools', '', '--permission-mode', 'default']],
    ['reading', of('read_file', 'grep'), ['--tools', 'Read,Grep', '--permission-mode', 'default']],
    ['writing', of('write_file', 'edit_file'), ['--tools', 'Write,Edit', '--permission-mode', 'acceptEdits']],
    ['programs', of('run', 'fetch_url'), ['--tools', 'Bash,WebFetch', '--allowedTools', 'Bash,WebFetch', '--permission-mode', 'default']],
  ])('claude: %s', (_, tools, flags) => expect(PRESETS.claude.authority(tools).flags).toEqual(flags));

  const offline = ['-c', 'web_search="disabled"'];
  const blind = ['--disable', 'shell_tool', '--disable', 'view_image'];
  const inFolder = ['exclude_slash_tmp', 'exclude_tmpdir_env_var'].flatMap((key) => ['-c', `sandbox_workspace_write.${key}=true`]);
  test.each<[string, Granted, string[], string[]]>([
    ['nothing', of(), ['--sandbox', 'read-only', ...blind, ...offline], []],
    ['reading', of('read_file'), ['--sandbox', 'read-only', ...offline], ['command_execution']],
    [
      'writing, not to the folders for temporary files',
      of('read_file', 'write_file'),
      ['--sandbox', 'workspace-write', '--disable', 'shell_tool', ...inFolder, ...offline],
      ['file_change'],
    ],
    ['programs', of('run'), ['--sandbox', 'workspace-write', ...offline], ['command_execution']],
    ['the network', of('fetch_url'), ['--sandbox', 'read-only', ...blind, '-c', 'web_search="live"'], ['web_search']],
  ])('codex: %s', (_, tools, flags, uses) => expect(PRESETS.codex.authority(tools)).toEqual({ flags, uses }));

  test('gemini: a policy that denies all, and allows what is granted', () => {
    const deny = '[[rule]]\ntoolName = ["*"]\ndecision = "deny"\npriority = 1\n';
    expect(PRESETS.gemini.authority(of()).files).toEqual({ 'thermidor.toml': deny });
    const allow = '[[rule]]\ntoolName = ["read_file","read_many_files"]\ndecision = "allow"\npriority = 2\n';
    expect(PRESETS.gemini.authority(of('read_file')).files).toEqual({ 'thermidor.toml': `${deny}\n${allow}` });
  });
});

const OVER: Readonly<Record<CliPreset, string>> = {
  claude: 'Bash',
  codex: 'command_execution',
  gemini: 'run_shell_command',
  openclaw: 'exec',
};

describe.each(CLI_PRESETS)('%s', (preset) => {
  test('is stopped if it uses what is not allowed, and its reply is not taken', async () => {
    const calls = [{ tool: OVER[preset], args: { command: 'rm -rf /' } }];
    const { ask, fake, transcript } = asking(preset, { replies: [{ calls }, { text: 'done' }] });
    await expect(ask('Which way?')).rejects.toMatchObject({ code: 'agent.overstepped', details: { tool: OVER[preset] } });
    expect(transcript.filter(({ text }) => text === 'done')).toEqual([]);
    expect(fake.running()).toEqual([]);
  });

  test('may use the same if it is allowed', async () => {
    const calls = [{ tool: OVER[preset], args: { command: 'ls' } }];
    const { ask } = asking(preset, { replies: [{ calls }, { text: 'done' }] });
    expect((await ask('Which way?', { agent: { ...AGENT, tools: ['run'] } })).at(-1)?.text).toBe('done');
  });
});

describe('limits', () => {
  const calls = [{ tool: 'Read', args: { file_path: 'a' } }];
  const agent = { ...AGENT, tools: ['read_file'] };

  test('of turns stop a program that goes on and on', async () => {
    const { ask, transcript } = asking('claude', { replies: [{ calls }, { calls }, { calls }, { text: 'done' }] });
    await expect(ask('Which way?', { agent: { ...agent, limits: { turns: 2 } } })).rejects.toMatchObject({ code: 'agent.turns-used-up' });
    expect(transcript.filter(({ role, stop }) => role === 'assistant' && stop === undefined)).toHaveLength(2);
  });

  test('of a budget stop it after the reply that uses it up', async () => {
    const { ask, fake, transcript } = asking('claude', { replies: [{ calls }, { calls }, { text: 'done' }] });
    const held = new Error('held');
    const afford = () => {
      const used = transcript.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0);
      if (used >= 20) throw held;
    };
    await expect(ask('Which way?', { agent, afford })).rejects.toBe(held);
    expect(transcript.filter(({ role }) => role === 'assistant')).toHaveLength(2);
    expect(fake.running()).toEqual([]);
  });
});
