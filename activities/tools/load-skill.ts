import { SKILL_FILE } from '../agent/prompt/folded-skills';
import { PAGE_PARAMETERS, pageOf } from './files/page';
import { refused, type Tool } from './tool';
import { numberArgument, textArgument } from './tool-arguments';

/** Instructions that an agent has in addition to its role, read when they are needed. They were frozen with the plan. */
export const LOAD_SKILL: Tool = {
  description: ({ skills = [] }) =>
    `Reads one of your skills: instructions for a kind of work. Without "file" it gives ${SKILL_FILE}, which says what other files the skill has. ` +
    `Skills: ${skills.join(', ')}.`,
  parameters: {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', description: 'the skill' },
      file: { type: 'string', description: `a file of the skill, by its path within the skill; ${SKILL_FILE} by default` },
      ...PAGE_PARAMETERS,
    },
  },
  unlisted: true,
  barred: ({ skills = [] }) => (skills.length > 0 ? undefined : 'this agent has no skills'),
  async call(args, { agent, toolbox }) {
    const { skills = [] } = agent;
    const [name, file = SKILL_FILE] = [textArgument(args, 'name'), textArgument(args, 'file')];
    const skill = skills.find((one) => one.name === name);
    if (!skill) return refused(`you have no skill "${name}"; yours are: ${skills.map((one) => one.name).join(', ') || 'none'}`);
    const others = Object.keys(skill.files).filter((path) => path !== SKILL_FILE);
    const digest = Object.hasOwn(skill.files, file) ? skill.files[file] : undefined;
    if (digest === undefined) return refused(`skill "${name}" has no file "${file}"; it has: ${[SKILL_FILE, ...others].join(', ')}`);
    const text = (await toolbox.artifacts.get({ sha256: digest })).toString('utf8');
    const page = pageOf(text, { offset: numberArgument(args, 'offset'), limit: numberArgument(args, 'limit') });
    return { text: file === SKILL_FILE && others.length > 0 ? `${page}\n[other files of this skill: ${others.join(', ')}]` : page };
  },
};
