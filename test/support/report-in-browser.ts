import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';

/** As text: it runs in the page. */
const tellViolations = `addEventListener('securitypolicyviolation', (event) => {
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI);
});`;

/** A report as a double click opens it. */
export class OpenReport {
  readonly page: Page;
  readonly url: string;
  readonly #complaints: string[] = [];

  static async open(
    browser: Browser,
    file: string,
    { hash = '', ...options }: BrowserContextOptions & { hash?: string } = {},
  ): Promise<OpenReport> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(10_000);
    const report = new OpenReport(await context.newPage(), pathToFileURL(file).href);
    await report.#watch();
    await report.page.goto(`${report.url}${hash}`);
    await report.page.getByRole('heading', { level: 1 }).waitFor();
    return report;
  }

  private constructor(page: Page, url: string) {
    this.page = page;
    this.url = url;
  }

  /** What must never happen: errors, requests, violations of the policy, and code from the data. */
  async complaints(): Promise<string[]> {
    const hacked = await this.page.evaluate(() => Reflect.get(globalThis, 'hacked') as unknown);
    return hacked === undefined ? this.#complaints : [...this.#complaints, 'code of the data ran'];
  }

  hash(): Promise<string> {
    // As the page has it: what is known of it outside comes a moment later.
    return this.page.evaluate('location.hash');
  }

  async #watch(): Promise<void> {
    const { page } = this;
    const complain = (text: string) => void this.#complaints.push(text);
    page.on('console', (message) => complain(`console: ${message.text()}`));
    page.on('pageerror', (error) => complain(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
      complain(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      const isItself = request.url().split('#')[0] === this.url || request.url() === 'data:,';
      if (!isItself) complain(`request: ${request.url().slice(0, 200)}`);
    });
    await page.addInitScript({ content: tellViolations });
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}

/** Also what is only there for those who do not see. */
export async function textOf(locator: Locator): Promise<string> {
  return (await locator.textContent()) ?? '';
}
