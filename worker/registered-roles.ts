import { isGrant } from '../plan/brief/category';
import { RESERVED_ROLE_IDS, ROLE_ID, type Role } from '../plan/brief/role';

/** A role as an application writes it, in the words of a file in `roles/`. */
export interface RoleDefinition {
  /** Lower-case letters, digits, `-` and `_`, beginning with a letter, 40 at most. */
  id: string;
  /** One line: the planner reads it to give sub-tasks to roles. */
  description: string;
  /** Instructions that come after the brief. */
  prompt_overlay: string;
  /** What the role may do at most, in the words of a brief's `authorized_costs`. */
  tool_categories: readonly string[];
  /** @default false */
  allow_read_file?: boolean;
}

const registered = new Map<string, Role>();

/**
 * Makes a role known to the workers that this process starts afterwards: briefs list it by its id. The settings of the command line list
 * it, too (`roles: {own: [ID]}`). Throws a TypeError if the definition is wrong, or if there is such a role.
 */
export function registerRole(definition: RoleDefinition): void {
  const { id, description, prompt_overlay, tool_categories, allow_read_file = false } = definition;
  if (typeof id !== 'string' || !ROLE_ID.test(id) || RESERVED_ROLE_IDS.includes(id)) throw wrong(`"${id}" cannot be the id of a role`);
  if (registered.has(id)) throw wrong(`the role "${id}" is registered already`);
  if (!isText(description)) throw wrong(`role "${id}" has no description`);
  if (!isText(prompt_overlay)) throw wrong(`role "${id}" has no prompt_overlay`);
  const unknown = Array.isArray(tool_categories) ? tool_categories.find((entry) => !isGrant(entry)) : 'no list';
  if (unknown !== undefined) throw wrong(`tool_categories of role "${id}" has "${unknown}", which is no category`);
  if (typeof allow_read_file !== 'boolean') throw wrong(`allow_read_file of role "${id}" must be true or false`);
  const role = { id, description: description.trim(), promptOverlay: prompt_overlay.trim(), allowReadFile: allow_read_file };
  registered.set(id, { ...role, toolCategories: [...tool_categories] });
}

/** The roles that this process has registered. */
export function registeredRoles(): Role[] {
  return [...registered.values()];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function wrong(message: string): TypeError {
  return new TypeError(message);
}
