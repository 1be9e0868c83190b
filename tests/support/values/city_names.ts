/**
 * Real text: the names of the world's cities, as the package country-state-city lists them. A fifth
 * hold characters outside of ASCII. It is loaded when a test or a bench asks for it, by a specifier
 * that no static analysis sees, as the peers are.
 */

const cities = "npm:country-state-city@3.2.1/lib/assets/city.json";

/** All 148,038 names, in the order of the package: by country, many of them more than once. */
export async function loadCityNames(): Promise<string[]> {
  const { default: rows } = await import(cities, { with: { type: "json" } });
  return rows.map(([name]: readonly [string]) => name);
}
