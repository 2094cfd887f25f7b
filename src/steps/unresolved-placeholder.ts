/** A placeholder stands for nothing: what would run is not what was meant. */
export class UnresolvedPlaceholder extends Error {
  constructor(placeholder: string, reason: string) {
    super(`${placeholder} cannot be resolved: ${reason}`);
    this.name = 'UnresolvedPlaceholder';
  }
}
