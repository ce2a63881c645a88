import type { AgentDefinition, Skill } from '../../../plan/plan';
import type { ArtifactStore } from '../../../records/artifact-store';
import { fenced } from './prompt';

/** The limit of all the skills of one agent. */
export const FOLDED_BYTES = 128 * 1024;

/** The file of a skill that an agent reads first. */
export const SKILL_FILE = 'SKILL.md';

/**
 * Puts skills into the role of an agent whose program has tools of its own, because it cannot load them. First the main file of each, then
 * further files, as long as there is room; omitted ones are named. The same skills give the same text.
 */
export async function withFoldedSkills(artifacts: Pick<ArtifactStore, 'get'>, agent: AgentDefinition): Promise<AgentDefinition> {
  const { skills = [], ...rest } = agent;
  if (skills.length === 0) return agent;
  const files = skills.flatMap((skill) => Object.entries(skill.files).map(([path, sha256]) => ({ skill, path, sha256 })));
  const isFirst = ({ path }: { path: string }) => path === SKILL_FILE;
  const shown = new Map<string, string>();
  const left: string[] = [];
  let room = FOLDED_BYTES;
  for (const file of [...files.filter(isFirst), ...files.filter((one) => !isFirst(one))]) {
    const text = (await artifacts.get({ sha256: file.sha256 })).toString('utf8');
    const sizeBytes = Buffer.byteLength(text);
    if (sizeBytes > room) {
      left.push(`${nameOf(file.skill, file.path)} (${sizeBytes} bytes)`);
      continue;
    }
    room -= sizeBytes;
    shown.set(nameOf(file.skill, file.path), text);
  }
  const parts = skills.map((skill) => rendered(skill, shown));
  const note = left.length === 0 ? '' : `\n\nLeft out, because there was no room: ${left.join(', ')}.`;
  return {
    ...rest,
    role: `${rest.role.trim()}\n\n# Skills\n\nInstructions for kinds of work. Follow them when you do that kind of work.\n\n${parts.join('\n\n')}${note}`,
  };
}

function rendered(skill: Skill, shown: ReadonlyMap<string, string>): string {
  const files = Object.keys(skill.files).flatMap((path) => {
    const text = shown.get(nameOf(skill, path));
    return text === undefined ? [] : [`${path}:\n\n${fenced(text)}`];
  });
  return [`## ${skill.name}`, skill.description, ...files].join('\n\n');
}

function nameOf({ name }: Skill, path: string): string {
  return `${name}/${path}`;
}
