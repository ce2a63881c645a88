import { agent } from '../../activities/agent/agent';
import { FOLDED_BYTES, withFoldedSkills } from '../../activities/agent/prompt/folded-skills';
import type { AgentDefinition } from '../../plan/plan';
import { fakeAgent, KEY, withAgent, workshop } from './workshop';

const shop = () => workshop();

async function skilled(texts: Record<string, string>, artifacts = shop().artifacts): Promise<AgentDefinition> {
  const files: Record<string, string> = {};
  for (const [path, text] of Object.entries(texts)) files[path] = (await artifacts.put(text, { mediaType: 'text/plain' })).sha256;
  return { id: 'bull', role: 'You make the bull case.', skills: [{ name: 'tape', description: 'reads the tape', files }] };
}

describe('the skills of an agent', () => {
  const asked = async (ownTools: boolean) => {
    const adapter = { ...fakeAgent(() => [{ role: 'assistant', text: 'done' }]), ...(ownTools ? { ownTools } : {}) } as const;
    const open = workshop(withAgent(adapter));
    const definition = await skilled({ 'SKILL.md': 'Read it backwards.', 'more.md': 'And forwards.' }, open.artifacts);
    await open.open([{ id: 'bull', kind: 'agent', agent: 'bull' }], {
      agents: { bull: { definition: await open.blob({ ...definition }) } },
    });
    await agent(open.toolbox, open.call('bull#1~1'), { run: KEY.run });
    return adapter.requests[0]?.system ?? '';
  };

  test('are in the role of an agent whose program cannot load them', async () => {
    const system = await asked(true);
    for (const text of ['tape', 'reads the tape', 'SKILL.md', 'Read it backwards.', 'more.md', 'And forwards.'])
      expect(system).toContain(text);
    expect(system).not.toContain('load_skill');
  });

  test('are only named to one that can', async () => {
    const system = await asked(false);
    expect(system).toContain('reads the tape');
    expect(system).toContain('load_skill');
    expect(system).not.toContain('Read it backwards.');
  });

  test('are left out by name if there is no room, what is read first the last', async () => {
    const { artifacts } = shop();
    const large = 'x'.repeat(FOLDED_BYTES - 10);
    const { role, skills } = await withFoldedSkills(
      artifacts,
      await skilled({ 'a.md': large, 'SKILL.md': 'Read it backwards.' }, artifacts),
    );
    expect(skills).toBeUndefined();
    expect(role).toContain('Read it backwards.');
    expect(role).toContain(`tape/a.md (${large.length} bytes)`);
    expect(role).not.toContain(large);
  });
});
