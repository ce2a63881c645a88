import type { CostCategory } from '../../plan/brief/category';
import {
  type GrantEntry,
  type GrantInForce,
  grantsAfter,
  isAdded,
  type LastingGrant,
  type LastingGrants,
  type Revocation,
} from '../lasting-grants';

export class MemoryGrants implements LastingGrants {
  private readonly entries: GrantEntry[] = [];

  async add(grant: LastingGrant): Promise<void> {
    if (!isAdded(this.entries, grant)) this.entries.push({ kind: 'granted', ...grant });
  }

  async revoke(revocation: Revocation): Promise<void> {
    this.entries.push({ kind: 'revoked', ...revocation });
  }

  async inForce(project: string): Promise<CostCategory[]> {
    return (await this.list(project)).map(({ category }) => category);
  }

  async list(project?: string): Promise<GrantInForce[]> {
    const projects = project === undefined ? [...new Set(this.entries.map((entry) => entry.project))].sort() : [project];
    return projects.flatMap((one) => grantsAfter(this.entries.filter((entry) => entry.project === one)));
  }
}
