/** Whether two paths of a graph name the same, or one names a folder that contains the other. */
export function pathsMeet(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}
