type OptionalKey<Members> = {
  [Key in keyof Members]: undefined extends Members[Key] ? Key : never;
}[keyof Members];

/** An object whose members are there, or are not, but never undefined. */
export type Defined<Members> = Omit<Members, OptionalKey<Members>> & {
  [Key in OptionalKey<Members>]?: Exclude<Members[Key], undefined>;
};

/** Leaves out members that are undefined, for records whose absent members must not show. */
export function defined<Members extends object>(members: Members): Defined<Members> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Defined<Members>;
}
