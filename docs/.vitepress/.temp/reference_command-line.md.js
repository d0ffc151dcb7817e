import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Command line","description":"Every verb of svc with its help.","frontmatter":{"description":"Every verb of svc with its help."},"headers":[],"relativePath":"reference/command-line.md","filePath":"reference/command-line.md"}');
const _sfc_main = { name: "reference/command-line.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="command-line" tabindex="-1">Command line <a class="header-anchor" href="#command-line" aria-label="Permalink to &quot;Command line&quot;">​</a></h1><p>Data goes to stdout, everything else to stderr. Every verb has <code>--help</code>, and <code>--json</code> where it prints data. A failure is one line, and the exit code is not 0.</p><h2 id="svc-add" tabindex="-1">svc add <a class="header-anchor" href="#svc-add" aria-label="Permalink to &quot;svc add&quot;">​</a></h2><p>adds a command, an event or a perspective to a service</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc add command &lt;Name&gt; [field[:type]…] [--app DIR] [--json]</span></span>
<span class="line"><span>svc add event &lt;Name&gt; [field[:type]…]</span></span>
<span class="line"><span>svc add perspective &lt;Name&gt; [Event…]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>Writes a class for you to fill in, into a new file beside your other sources. Nothing needs to be registered:</span></span>
<span class="line"><span>svc dev and svc generate find it. A command comes with its receptor, a route and</span></span>
<span class="line"><span>a permission on what follows the verb in its name, or on the resource of a command about the same thing. A perspective takes the events</span></span>
<span class="line"><span>that you name, or all events of the service.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>A field is a string unless its type is named: string, number, boolean, Decimal, Duration, Int, Json, Long,</span></span>
<span class="line"><span>Timestamp, Uuid. A question mark makes it optional: &#39;note?&#39; or &#39;dueAt?:Timestamp&#39;. Without fields a command or an event has id:Uuid.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --app DIR   the folder of the service; by default this one</span></span>
<span class="line"><span>  --json      the file that was written, for machines</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc add command ReturnBook bookId:Uuid</span></span></code></pre></div><h2 id="svc-audit" tabindex="-1">svc audit <a class="header-anchor" href="#svc-audit" aria-label="Permalink to &quot;svc audit&quot;">​</a></h2><p>verifies, follows or exports the system stream</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc audit verify [--events] [--against FILE] [--origin STORE] [--json]</span></span>
<span class="line"><span>svc audit tail [--follow] [--correlation ID] [--user ID] [--tenant ID] [--type NAME] [--json]</span></span>
<span class="line"><span>svc audit export [--from N] [--to N]</span></span>
<span class="line"><span>svc audit export --heads [--origin STORE]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>verify recomputes the hash chain and reports the first broken position; it then exits with 1.</span></span>
<span class="line"><span>With NATS_URL set, it also compares the log with the heads that hosts of this store have signed and the broker</span></span>
<span class="line"><span>still holds (7 days): deleted newest records and a rewritten chain show. It says how many heads it found, and</span></span>
<span class="line"><span>from when; without any, only changes within the chain can show.</span></span>
<span class="line"><span>  --events            also compares every stored event with the body and position in its EventAudited record and</span></span>
<span class="line"><span>                      lists altered and deleted events; counts redacted values and events without an audit</span></span>
<span class="line"><span>  --against FILE      also compares with an earlier report of verify --json, or with exported heads</span></span>
<span class="line"><span>  --origin STORE      verifies the received chain of another store, given by its id, that no record</span></span>
<span class="line"><span>                      is missing, and that it agrees with the signed heads that are kept here</span></span>
<span class="line"><span>tail shows the last 20 records that match every filter; --follow also shows new records as they are stored.</span></span>
<span class="line"><span>export writes all records, or a range of positions, as lines of JSON.</span></span>
<span class="line"><span>  --heads             instead writes the signed heads that this store keeps of other stores, or of one: at a</span></span>
<span class="line"><span>                      monitor, they show what happened to the log of a service</span></span>
<span class="line"><span>The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc audit verify --json &gt; head.json &amp;&amp; svc audit verify --against head.json</span></span></code></pre></div><h2 id="svc-check" tabindex="-1">svc check <a class="header-anchor" href="#svc-check" aria-label="Permalink to &quot;svc check&quot;">​</a></h2><p>checks migrations, what a deployment needs (pre), and what it has brought (post)</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc check migrations [app] [--json]</span></span>
<span class="line"><span>svc check pre [app] [--test COMMAND] [--test-timeout SECONDS] [--json]</span></span>
<span class="line"><span>svc check post [app] --url URL [--key KEY] [--ready-within SECONDS] [--observe SECONDS] [--json]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>&lt;app&gt; is a folder or a .js file; default: the current folder. pre and post print one line per check and exit with 1 if</span></span>
<span class="line"><span>one of them fails.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>migrations  Parses migrations/*.sql and reports, with file and line, statements that break or block running code: NOT NULL</span></span>
<span class="line"><span>            without a default, rename, drop, type change, index without CONCURRENTLY, constraint without NOT VALID, …</span></span>
<span class="line"><span>            and, over the history of the files, steps that are out of order. Exits with 1 when running code breaks.</span></span>
<span class="line"><span>            With DATABASE_URL also reports files that were edited after they were applied there: no host would start.</span></span>
<span class="line"><span>            A file may change what it has created itself; a file with -- svc: min-level=N may drop.</span></span>
<span class="line"><span>            Needs the package libpg-query: npm install --save-dev --include=dev libpg-query@18.1.5</span></span>
<span class="line"><span>pre         Before a deployment: the database is reachable and accepts writes, the migrations would be applied, none of</span></span>
<span class="line"><span>            those to apply breaks the version that runs, every named check of a dependency is healthy, and the command</span></span>
<span class="line"><span>            of the integration tests exits with 0.</span></span>
<span class="line"><span>post        After a deployment: a host is ready, the smokeTest of the service creates and reads, and at most 5 % of the</span></span>
<span class="line"><span>            requests failed. Hosts declare the smoke test in /openapi.json; with &lt;app&gt; it is taken from there.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>The safe order: add an optional column; deploy code that reads it and falls back to the old logic; backfill; then make</span></span>
<span class="line"><span>it required. Expand (add the new structure, write to both, backfill), then contract (read new only, remove the old).</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --test          the command that runs the integration tests, in a shell; its output goes to stderr</span></span>
<span class="line"><span>  --test-timeout  how long it may take; default 600</span></span>
<span class="line"><span>  --url           where a host answers, such as http://127.0.0.1:3000</span></span>
<span class="line"><span>  --key           an API key or a token for the host; default: SVC_CHECK_KEY. It needs the permissions of the smoke test,</span></span>
<span class="line"><span>                  and svc:observe to read /openapi.json and /metrics</span></span>
<span class="line"><span>  --ready-within  how long the host may take to become ready; default 30</span></span>
<span class="line"><span>  --observe       counts the errors of this time; default 0: since the host started</span></span>
<span class="line"><span>  --json          prints JSON: the findings, or { ok, checks: [{ name, ok, detail }] }</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc check pre examples/orders --test &#39;npm run test:integration&#39;</span></span></code></pre></div><h2 id="svc-dead-letters" tabindex="-1">svc dead-letters <a class="header-anchor" href="#svc-dead-letters" aria-label="Permalink to &quot;svc dead-letters&quot;">​</a></h2><p>lists, shows, replays or discards messages that could not be published or received</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc dead-letters list</span></span>
<span class="line"><span>svc dead-letters show &lt;id&gt;</span></span>
<span class="line"><span>svc dead-letters replay &lt;id&gt; [--reason TEXT]</span></span>
<span class="line"><span>svc dead-letters replay --fingerprint F | --error TEXT [--reason TEXT]</span></span>
<span class="line"><span>svc dead-letters discard &lt;id&gt; --reason TEXT</span></span>
<span class="line"><span></span></span>
<span class="line"><span>A message that the transport rejected too often becomes a dead letter; its event stays in the log.</span></span>
<span class="line"><span>A message of another store that cannot be stored becomes a dead letter and keeps its original bytes.</span></span>
<span class="line"><span>replay makes a running host publish or receive the message again; discard gives it up.</span></span>
<span class="line"><span>The system stream records who did it and why: SVC_ACTOR, or the user of the operating system.</span></span>
<span class="line"><span>The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --json           prints JSON</span></span>
<span class="line"><span>  --fingerprint F  replays all with this fingerprint, see list --json</span></span>
<span class="line"><span>  --error TEXT     replays all whose error contains the text</span></span>
<span class="line"><span>  --reason TEXT    why; required by discard</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc dead-letters discard 7 --reason &quot;sent by hand&quot;</span></span></code></pre></div><h2 id="svc-deploy" tabindex="-1">svc deploy <a class="header-anchor" href="#svc-deploy" aria-label="Permalink to &quot;svc deploy&quot;">​</a></h2><p>brings a revision into service: canary, rolling, blue-green or recreate</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc deploy canary|rolling|blue-green|recreate &lt;app|image&gt; [--revision R] [options]</span></span>
<span class="line"><span>svc deploy rollback [--to REVISION] [options]</span></span>
<span class="line"><span>svc deploy status [--watch]</span></span>
<span class="line"><span>svc deploy promote|pause|resume|abort [--reason TEXT]</span></span>
<span class="line"><span>svc deploy history [--limit N]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>Brings a revision into service: an application folder behind HAProxy, or an image in Kubernetes, as deploy.json says.</span></span>
<span class="line"><span>When a step fails or takes too long, when too many requests fail, or when this command is killed, the revision that</span></span>
<span class="line"><span>served before serves again. Exits with 1 then. One deployment runs at a time.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>canary      moves 10, 25, 50, 75 and 100 % of the requests; the header x-canary: always|never chooses a revision</span></span>
<span class="line"><span>rolling     replaces hosts in batches</span></span>
<span class="line"><span>blue-green  starts all new hosts, switches all requests at once, and keeps a part of the old hosts</span></span>
<span class="line"><span>recreate    stops all old hosts before it starts new ones: requests fail meanwhile</span></span>
<span class="line"><span>rollback    deploys the revision that served before, or --to another one: by batches if the last deployment was</span></span>
<span class="line"><span>            rolling, else by one switch</span></span>
<span class="line"><span>promote     ends the current stage now; pause stops its time, resume continues it; abort reverts</span></span>
<span class="line"><span>resume      also continues a deployment that no process drives any more; abort reverts it</span></span>
<span class="line"><span></span></span>
<span class="line"><span>The checks of svc check pre and post are gates: before, if &lt;app&gt; is a folder; after, if there is a URL. SVC_CHECK_KEY is</span></span>
<span class="line"><span>their key. The system stream records every stage, with SVC_ACTOR or the user of the operating system. The store is the one</span></span>
<span class="line"><span>at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc); its owner is needed (DATABASE_OWNER_URL).</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --revision R          the name of the revision (the version in package.json, or the tag of the image)</span></span>
<span class="line"><span>  --config FILE         instead of deploy.json beside the application or in the current folder</span></span>
<span class="line"><span>  --kubeconfig FILE     the cluster of the kubernetes driver (KUBECONFIG)</span></span>
<span class="line"><span>  --replicas N          hosts of the new revision (deploy.json, else 10)</span></span>
<span class="line"><span>  --stages P,P,…,100    the shares of a canary, in percent</span></span>
<span class="line"><span>  --stage-time T        how long each stage is watched (canary 5m, blue-green 1m, rolling and rollback 10s, recreate 0s)</span></span>
<span class="line"><span>  --max-errors P        reverts when more than P % of the requests of a stage fail (5)</span></span>
<span class="line"><span>  --min-sample N        decides nothing on fewer requests (200)</span></span>
<span class="line"><span>  --hold T              how long a stage waits for requests or metrics after its time, before it reverts (1h)</span></span>
<span class="line"><span>  --max-unavailable N   hosts that may be missing in a rolling update (1)</span></span>
<span class="line"><span>  --max-surge N         hosts that may be extra in a rolling update (2)</span></span>
<span class="line"><span>  --keep N              old hosts that blue-green keeps (1)</span></span>
<span class="line"><span>  --ready-timeout T     how long hosts may take to become ready (5m)</span></span>
<span class="line"><span>  --step-timeout T      how long any other step may take (60s)</span></span>
<span class="line"><span>  --pre COMMAND         must exit with 0 before anything is changed</span></span>
<span class="line"><span>  --post COMMAND        must exit with 0, else the deployment is reverted: before the old hosts of a canary or blue-green</span></span>
<span class="line"><span>                        deployment stop, and after those of a rolling or recreate one</span></span>
<span class="line"><span>  --url URL             where the checks afterwards reach the service</span></span>
<span class="line"><span>  --skip-checks         runs no checks and no commands</span></span>
<span class="line"><span>  --dry-run             prints the stages and does nothing</span></span>
<span class="line"><span>  --json                prints JSON</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc deploy canary ./orders --stage-time 10m</span></span></code></pre></div><h2 id="svc-dev" tabindex="-1">svc dev <a class="header-anchor" href="#svc-dev" aria-label="Permalink to &quot;svc dev&quot;">​</a></h2><p>generates, compiles and runs a service, again after every change</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc dev [app] [--accept-events] [--json]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>Generates, compiles and starts the service in a folder, by default this one, and does so again whenever a source</span></span>
<span class="line"><span>or a migration changes. Mistakes are printed with their file and line; until they are corrected the service runs on</span></span>
<span class="line"><span>as it was. The embedded PostgreSQL keeps running in between. Ctrl-C ends everything.</span></span>
<span class="line"><span>The environment is that of svc start.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --accept-events  records changed events without a new version: right while none is stored</span></span>
<span class="line"><span>  --json           lines of JSON on a terminal too, as everywhere else</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  SVC_PORT=8080 svc dev</span></span></code></pre></div><h2 id="svc-flags" tabindex="-1">svc flags <a class="header-anchor" href="#svc-flags" aria-label="Permalink to &quot;svc flags&quot;">​</a></h2><p>lists feature flags, or turns one on or off for everyone or for some</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc flags list</span></span>
<span class="line"><span>svc flags on NAME [--tenant T]… [--user U]… [--percent N] [--reason R] [--new]</span></span>
<span class="line"><span>svc flags off NAME [--tenant T]… [--user U]… [--reason R] [--new]</span></span>
<span class="line"><span>svc flags set NAME [--percent N] [--tenant T]… [--user U]… [--reason R] [--new]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>A flag is off until you turn it on. Running hosts use a change within two seconds.</span></span>
<span class="line"><span>on and off alone hold for everyone and remove every rule; with --tenant or --user they add rules for these alone.</span></span>
<span class="line"><span>--percent turns it on for that share of the users: always the same ones, and those who have it keep it while it grows.</span></span>
<span class="line"><span>A caller without a user counts by the tenant. set replaces what it names and leaves the rest.</span></span>
<span class="line"><span>The rule of a user comes before that of the tenant, and both before the percentage.</span></span>
<span class="line"><span>A name that no host has declared is refused; --new creates it all the same.</span></span>
<span class="line"><span>The system stream records every change as FlagChanged, with SVC_ACTOR or the user of the operating system.</span></span>
<span class="line"><span>The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --json  prints JSON</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc flags on gift-wrap --tenant acme --reason &#39;a pilot&#39;</span></span>
<span class="line"><span>  svc flags set gift-wrap --percent 25</span></span>
<span class="line"><span>  svc flags off gift-wrap</span></span></code></pre></div><h2 id="svc-generate" tabindex="-1">svc generate <a class="header-anchor" href="#svc-generate" aria-label="Permalink to &quot;svc generate&quot;">​</a></h2><p>generates endpoints, codecs, registry, client and documents from the sources</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc generate [dir] [--check] [--watch] [--stub Command] [--accept-events] [--json]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>Reads the sources listed by dir/tsconfig.json and writes the generated files into generated/ folders.</span></span>
<span class="line"><span>Writes nothing if there is any error.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --check          writes nothing; exits with 1 when a file is stale</span></span>
<span class="line"><span>  --watch          generates again after every change</span></span>
<span class="line"><span>  --stub Command   writes the endpoint class of a command for you to fill in</span></span>
<span class="line"><span>  --accept-events  accepts changed events without a new version; safe only while none is stored</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc generate examples/orders --check</span></span></code></pre></div><h2 id="svc-inspect" tabindex="-1">svc inspect <a class="header-anchor" href="#svc-inspect" aria-label="Permalink to &quot;svc inspect&quot;">​</a></h2><p>prints the links to the inspector, the machines and the console of a host</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc inspect [--url URL] [--json]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>Prints where the requests of a running host can be watched. The host must run with SVC_INSPECT=1,</span></span>
<span class="line"><span>the default in development. If the host requires SVC_INSPECT_TOKEN or SVC_OPERATOR_TOKEN, set one here</span></span>
<span class="line"><span>too: it becomes part of the links.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --url URL    the host (default: http://127.0.0.1 with SVC_PORT or 3000)</span></span>
<span class="line"><span>  --json       prints JSON</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc inspect --url http://127.0.0.1:8080</span></span></code></pre></div><h2 id="svc-keys" tabindex="-1">svc keys <a class="header-anchor" href="#svc-keys" aria-label="Permalink to &quot;svc keys&quot;">​</a></h2><p>creates, lists or revokes API keys</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc keys create --name N --permissions P,P… [--tenant T] [--user U] [--reason TEXT]</span></span>
<span class="line"><span>svc keys list</span></span>
<span class="line"><span>svc keys revoke ID [--reason TEXT]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>With SVC_AUTH=api-key a caller sends an API key as Authorization: Bearer or as X-Api-Key, and has its permissions,</span></span>
<span class="line"><span>resource:action each. create prints the key once: only its digest is stored. list shows the id of every key, which is</span></span>
<span class="line"><span>the beginning of the key. A revoked key stops working within seconds on every running host.</span></span>
<span class="line"><span>The system stream records who did it and why: SVC_ACTOR, or the user of the operating system.</span></span>
<span class="line"><span>The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc). Changes need the owner of the store:</span></span>
<span class="line"><span>DATABASE_OWNER_URL, where DATABASE_URL logs in as another role.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --name N           what the key is for</span></span>
<span class="line"><span>  --permissions P,P  what its bearer may do</span></span>
<span class="line"><span>  --tenant T         whose data it is for; without: data that belongs to no tenant</span></span>
<span class="line"><span>  --user U           the user that its bearer acts as</span></span>
<span class="line"><span>  --reason TEXT      why</span></span>
<span class="line"><span>  --json             prints JSON; create: { id, key }</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc keys create --name scraper --permissions svc:observe</span></span></code></pre></div><h2 id="svc-migrate" tabindex="-1">svc migrate <a class="header-anchor" href="#svc-migrate" aria-label="Permalink to &quot;svc migrate&quot;">​</a></h2><p>brings the schema up to date, or shows what that would do</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc migrate [app] [--dry-run] [--reason TEXT] [--json]</span></span>
<span class="line"><span>svc migrate --clean [--dry-run] [--reason TEXT] [--json]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>Brings the schema of svc-runtime up to date and, with &lt;app&gt;, its perspectives and its migrations/*.sql in the order of</span></span>
<span class="line"><span>their names. Each file is applied once; a file that was edited afterwards is refused. Hosts do the same at start.</span></span>
<span class="line"><span>A file may contain directives:</span></span>
<span class="line"><span>  -- svc: column-copy table=orders column=total type=numeric(12,2) using=total / 100.0</span></span>
<span class="line"><span>                    changes the type or the values of a column while it is written to; insert by column names</span></span>
<span class="line"><span>  -- svc: repeatable    as the first line: the whole file runs again whenever its text has changed</span></span>
<span class="line"><span>  -- svc: level=2       the level of code that uses what this file adds</span></span>
<span class="line"><span>  -- svc: min-level=2   hosts below this level may no longer start: the file removes what they need</span></span>
<span class="line"><span>A file with CREATE INDEX CONCURRENTLY runs statement by statement, outside a transaction.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --dry-run   prints the steps and their SQL and changes nothing; exits with 1 when a step would be refused</span></span>
<span class="line"><span>  --clean     drops replaced tables of perspectives that no host runs, and columns that were copied</span></span>
<span class="line"><span>  --reason    why; the system stream records it with SVC_ACTOR, or the user of the operating system</span></span>
<span class="line"><span>  --json      prints JSON</span></span>
<span class="line"><span></span></span>
<span class="line"><span>The store is the one at DATABASE_OWNER_URL or DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc migrate examples/orders --dry-run</span></span></code></pre></div><h2 id="svc-monitor" tabindex="-1">svc monitor <a class="header-anchor" href="#svc-monitor" aria-label="Permalink to &quot;svc monitor&quot;">​</a></h2><p>receives, keeps and shows the system events of every broadcasting host</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc monitor [--url NATS] [--port P] [--correlation ID] [--user ID] [--tenant ID] [--type NAME] [--json]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>Receives the system events of every host that runs with SVC_BROADCAST=1, keeps them in its own store, one chain</span></span>
<span class="line"><span>per sending store, and prints each on one line as it arrives. Start it before or after the hosts and the broker;</span></span>
<span class="line"><span>after a restart it receives what it missed.</span></span>
<span class="line"><span>The page shows more: all hosts with their health and the time of their last message, failures, running rebuilds</span></span>
<span class="line"><span>and migrations, and the stream of all hosts or of one.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --url NATS          the broker (default: NATS_URL), such as nats://localhost:4222</span></span>
<span class="line"><span>  --port P            the port of the page, which is at /console (default: SVC_PORT or 3030; 0: any free port)</span></span>
<span class="line"><span>  --correlation, --user, --tenant, --type</span></span>
<span class="line"><span>                      show only records that match every filter; all records are kept</span></span>
<span class="line"><span>  --json              prints lines of JSON, the default when the output is not a terminal</span></span>
<span class="line"><span></span></span>
<span class="line"><span>The store is the one at DATABASE_URL, or an embedded one in SVC_DATA_DIR (.svc-monitor); it must not be</span></span>
<span class="line"><span>the store of a service. SVC_NAME (default: monitor) is the name of the monitor. svc audit verify --origin STORE verifies a chain.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc monitor --url nats://localhost:4222 --type CommandFailed</span></span></code></pre></div><h2 id="svc-new" tabindex="-1">svc new <a class="header-anchor" href="#svc-new" aria-label="Permalink to &quot;svc new&quot;">​</a></h2><p>creates a service: a command, its event, a read model and a test</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc new &lt;dir&gt; [--example orders] [--json]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>Creates a service in a new folder and names it after the folder. npm install and npm run dev</span></span>
<span class="line"><span>in that folder install and start it.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --example orders   starts from the orders example: four commands, hooks, two read models</span></span>
<span class="line"><span>  --json             the name and the folder, for machines</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc new my-service</span></span></code></pre></div><h2 id="svc-outbox" tabindex="-1">svc outbox <a class="header-anchor" href="#svc-outbox" aria-label="Permalink to &quot;svc outbox&quot;">​</a></h2><p>publishes again what the broker has lost</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc outbox republish --from POSITION [--reason TEXT]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>The relay of a running host publishes everything in the log from POSITION on once more, in order, as far as it is</span></span>
<span class="line"><span>meant to be published. Subscribers drop duplicates. POSITION is a global_position, as in svc_event_stream or</span></span>
<span class="line"><span>svc_outbox_pending; 1 is the beginning of the log. A position that was never published is refused.</span></span>
<span class="line"><span>The system stream records it as OperatorActed, with SVC_ACTOR or the user of the operating system.</span></span>
<span class="line"><span>The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --from POSITION  the first position to publish again</span></span>
<span class="line"><span>  --reason TEXT    why</span></span>
<span class="line"><span>  --json           prints { from, to, messages }</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc outbox republish --from 4711 --reason &quot;the broker was restored from an empty disk&quot;</span></span></code></pre></div><h2 id="svc-perspectives" tabindex="-1">svc perspectives <a class="header-anchor" href="#svc-perspectives" aria-label="Permalink to &quot;svc perspectives&quot;">​</a></h2><p>lists read models, rebuilds or removes one</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc perspectives list [--json]</span></span>
<span class="line"><span>svc perspectives rebuild &lt;name&gt; [--mode BlueGreen|InPlace|SelectedStreams] [--stream ID…] [--max-rate N] [--force] [--app APP] [--reason TEXT] [--json]</span></span>
<span class="line"><span>svc perspectives parked &lt;name&gt; [--release KEY… | --all] [--reason TEXT] [--json]</span></span>
<span class="line"><span>svc perspectives cancel &lt;name&gt; [--reason TEXT]</span></span>
<span class="line"><span>svc perspectives clean [--reason TEXT] [--json]</span></span>
<span class="line"><span>svc perspectives remove &lt;name&gt; [--reason TEXT] [--json]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>BlueGreen builds a new model beside the current one and swaps them; the old one is kept until clean.</span></span>
<span class="line"><span>InPlace empties the model first: readers see it grow. SelectedStreams folds only the given streams.</span></span>
<span class="line"><span>A rebuild fails when a row that readers see can no longer be folded, and readers keep the old model; with --force they</span></span>
<span class="line"><span>get the new model without that row, which is parked.</span></span>
<span class="line"><span>A running host does the rebuild; if no host runs, or with --app, this process does. Hosts may keep running.</span></span>
<span class="line"><span>parked lists the rows whose events apply could not fold; readers see them as they were before. After you have fixed</span></span>
<span class="line"><span>apply, --release or --all folds them again. A host also retries them once at its start.</span></span>
<span class="line"><span>An interrupted rebuild is resumed by a host that runs the perspective, or by the next rebuild of that name.</span></span>
<span class="line"><span>remove drops the model of a perspective that the service no longer has, and everything kept about it. It is refused</span></span>
<span class="line"><span>while a host runs the perspective. The events stay: a perspective that comes back is folded from the beginning.</span></span>
<span class="line"><span>A long rebuild uses several threads, each for a part of the streams; each thread loads the application again.</span></span>
<span class="line"><span>SVC_REBUILD_THREADS sets their number; 1 uses no extra thread.</span></span>
<span class="line"><span>The store is the one at DATABASE_URL (and DATABASE_OWNER_URL), or the embedded one in SVC_DATA_DIR (.svc).</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --stream ID      a stream to fold; may be repeated</span></span>
<span class="line"><span>  --max-rate N     folds at most N events per second</span></span>
<span class="line"><span>  --force          swaps even if rows that readers see can no longer be folded</span></span>
<span class="line"><span>  --release KEY    folds this parked row again; may be repeated</span></span>
<span class="line"><span>  --all            folds all parked rows again</span></span>
<span class="line"><span>  --app APP        the application: a folder with a package.json, or a .js file (default: the current folder)</span></span>
<span class="line"><span>  --reason TEXT    why; the system stream records it with SVC_ACTOR, or the user of the operating system</span></span>
<span class="line"><span>  --json           prints JSON</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc perspectives rebuild order-summary --mode BlueGreen</span></span></code></pre></div><h2 id="svc-roles" tabindex="-1">svc roles <a class="header-anchor" href="#svc-roles" aria-label="Permalink to &quot;svc roles&quot;">​</a></h2><p>grants, revokes or lists roles and permissions of users</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc roles list</span></span>
<span class="line"><span>svc roles define ROLE --permissions P,P…</span></span>
<span class="line"><span>svc roles grant USER [--role R]… [--permission P]… [--tenant T]</span></span>
<span class="line"><span>svc roles revoke USER [--role R]… [--permission P]… [--tenant T]</span></span>
<span class="line"><span>svc roles set USER [--roles R,R…] [--permissions P,P…] [--tenant T]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>A role stands for permissions, resource:action each. A user has the permissions of their credentials, those that are</span></span>
<span class="line"><span>granted here, and those of all their roles, from the credentials or from here. Running hosts use a change within seconds.</span></span>
<span class="line"><span>USER and --tenant are the user and the tenant of the authenticated caller; a user without a tenant is not one with.</span></span>
<span class="line"><span>A role that is granted before it is defined grants nothing until then, and svc says so.</span></span>
<span class="line"><span>define replaces the permissions of a role; an empty list removes it. set replaces everything that the user was granted.</span></span>
<span class="line"><span>The system stream records every change with SVC_ACTOR or the user of the operating system: PermissionChanged, or</span></span>
<span class="line"><span>OperatorActed for define. What changes nothing is not recorded.</span></span>
<span class="line"><span>The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc). Changes need the owner of the store:</span></span>
<span class="line"><span>DATABASE_OWNER_URL, where DATABASE_URL logs in as another role.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --json  prints JSON</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc roles define clerk --permissions orders:read,orders:write</span></span>
<span class="line"><span>  svc roles grant ann --role clerk --tenant acme</span></span></code></pre></div><h2 id="svc-segments" tabindex="-1">svc segments <a class="header-anchor" href="#svc-segments" aria-label="Permalink to &quot;svc segments&quot;">​</a></h2><p>lists, seals or verifies the segments of the log, or converts an earlier store to them</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc segments list</span></span>
<span class="line"><span>svc segments seal</span></span>
<span class="line"><span>svc segments verify</span></span>
<span class="line"><span>svc segments convert [--reason TEXT]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>The log consists of segments, each with the events and the records of a range of positions. Running hosts make the next</span></span>
<span class="line"><span>one ahead of time and seal each one that is full: its digests go into the system stream as SegmentSealed.</span></span>
<span class="line"><span>list shows them with their sizes. seal seals now what is full, as a host does.</span></span>
<span class="line"><span>verify computes the digests of sealed segments again and compares them with the system stream, which svc audit verify</span></span>
<span class="line"><span>checks; it fails and names the segment when an event or a record in it was altered.</span></span>
<span class="line"><span>convert turns the tables of a store of an earlier version into its first segment; no row is copied. It refuses while</span></span>
<span class="line"><span>anything else is connected to the store; hosts of earlier versions cannot use the store afterwards. It needs the owner of</span></span>
<span class="line"><span>the store: DATABASE_OWNER_URL, where DATABASE_URL logs in as another role. The system stream records it as OperatorActed,</span></span>
<span class="line"><span>with SVC_ACTOR or the user of the operating system.</span></span>
<span class="line"><span>The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --reason TEXT  why it is converted</span></span>
<span class="line"><span>  --json         prints JSON</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc segments verify --json</span></span></code></pre></div><h2 id="svc-start" tabindex="-1">svc start <a class="header-anchor" href="#svc-start" aria-label="Permalink to &quot;svc start&quot;">​</a></h2><p>runs one host process</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc start &lt;app&gt; [--json]</span></span>
<span class="line"><span></span></span>
<span class="line"><span>Runs one host. &lt;app&gt; is a folder whose package.json names the built module in &quot;main&quot;,</span></span>
<span class="line"><span>or a .js file; its default export is the service definition.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --json   prints lines of JSON on a terminal, too</span></span>
<span class="line"><span></span></span>
<span class="line"><span>Environment, all optional:</span></span>
<span class="line"><span>  SVC_PORT (3000; 0: any free port), SVC_BIND (127.0.0.1), SVC_NAME (the name of the machine), SVC_DATA_DIR (.svc)</span></span>
<span class="line"><span>  DATABASE_URL (unset: an embedded PostgreSQL in the data dir, and set for the application), DATABASE_OWNER_URL</span></span>
<span class="line"><span>  (migrates and rebuilds); several servers: postgres://user@a,b/db</span></span>
<span class="line"><span>  SVC_DURABILITY (local; sync: a standby has every answered commit, else 503; async: a failover may lose some)</span></span>
<span class="line"><span>  SVC_MASTER_KEY (openssl rand -base64 32; for fields marked @Sensitive({ subject }), the same on every host)</span></span>
<span class="line"><span>  NATS_URL (unset: messages stay in the process; several: nats://a,b), SVC_BROADCAST (0; 1: publishes system events, too)</span></span>
<span class="line"><span>  NATS_CREDS, NATS_NKEY (files), NATS_TOKEN, or NATS_USER with NATS_PASSWORD (one of them, if the broker asks)</span></span>
<span class="line"><span>  NATS_TLS_CA, NATS_TLS_CERT with NATS_TLS_KEY (files), SVC_MESSAGE_FORMAT (msgpack; cloudevents)</span></span>
<span class="line"><span>  SVC_AUDIT (all, events, commands, off), SVC_AUDIT_MODE (OptOut, OptIn), AMQP_URL (set: health includes the broker)</span></span>
<span class="line"><span>  SVC_STORE_TRUST (pin: a new store is trusted at once; strict: it waits for svc stores trust; default by broker)</span></span>
<span class="line"><span>  SVC_SIGN_MESSAGES (0; 1: domain messages are signed one by one)</span></span>
<span class="line"><span>  SVC_SIGNING_KEY (unset: kept in the store; base64 of 32 bytes or PEM: signs the heads of the audit chain)</span></span>
<span class="line"><span>  SVC_DEADLINE_MS (30000), SVC_BODY_LIMIT (1048576), SVC_LIVE_WATCHERS (5000), SVC_LOG (info), SVC_PATIENCE_MS (1500; under svc supervise)</span></span>
<span class="line"><span>  SVC_REBUILD_THREADS (one less than the cores; 1: no extra thread)</span></span>
<span class="line"><span>  SVC_INSPECT (1 in development), SVC_INSPECT_TOKEN (read access), SVC_OPERATOR_TOKEN (operator actions, too)</span></span>
<span class="line"><span>  SVC_AUTH (unset: serves this machine only; jwt, api-key or both; none: a proxy in front controls access)</span></span>
<span class="line"><span>  SVC_JWT_SECRET, or SVC_JWT_JWKS_URL with SVC_JWT_ISSUER and SVC_JWT_AUDIENCE (for SVC_AUTH=jwt)</span></span>
<span class="line"><span>  SVC_RATE_LIMIT (unset; 100/s, 1000/min), SVC_TRUSTED_PROXIES (addresses whose X-Forwarded-For counts)</span></span>
<span class="line"><span>  SVC_CORS_ORIGINS (unset; https://shop.example,…: sites whose pages may use the service; *: every site)</span></span>
<span class="line"><span>  SVC_FAILPOINTS (store-before-commit@3, …: where the process exits, for tests)</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  SVC_PORT=8080 svc start examples/orders</span></span></code></pre></div><h2 id="svc-store" tabindex="-1">svc store <a class="header-anchor" href="#svc-store" aria-label="Permalink to &quot;svc store&quot;">​</a></h2><p>shows the store, accepts that it went back, and adopts a copy</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc store status</span></span>
<span class="line"><span>svc store accept-loss --reason TEXT</span></span>
<span class="line"><span>svc store adopt --reason TEXT [--moved]</span></span>
<span class="line"><span>svc store release &lt;id&gt; --reason TEXT</span></span>
<span class="line"><span></span></span>
<span class="line"><span>status shows the store: its id, its epoch and the timeline of its server, the last position of its log, its standbys, what</span></span>
<span class="line"><span>it has lost, and the database that its id is bound to. An epoch begins when a standby is promoted or a disk is set back.</span></span>
<span class="line"><span>With SVC_DURABILITY=sync nothing is written to a store that lacks acknowledged events; accept-loss gives them up, and hosts</span></span>
<span class="line"><span>write again. The system stream records StoreWentBack.</span></span>
<span class="line"><span>A host does not start on a copy of a store, as both would publish under one id. adopt gives the copy an id of its own:</span></span>
<span class="line"><span>events so far are not published again, and those of the original are not received twice. Stop the hosts of the copy first.</span></span>
<span class="line"><span>With --moved the copy keeps the id, for when the original is gone: after a restore elsewhere, or pg_upgrade.</span></span>
<span class="line"><span>Messages of another store that went back wait as dead letters if this store holds events that the other has lost. release</span></span>
<span class="line"><span>receives its messages again; then run svc dead-letters replay --error &#39;went back&#39;. What is held of the lost events stays.</span></span>
<span class="line"><span>The system stream records who did it and why: SVC_ACTOR, or the user of the operating system. adopt connects with</span></span>
<span class="line"><span>DATABASE_OWNER_URL if it is set. The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --reason TEXT  why; required by all but status</span></span>
<span class="line"><span>  --moved        the original is gone</span></span>
<span class="line"><span>  --force        adopt a copy of the data directory, which looks like its original</span></span>
<span class="line"><span>  --json         prints JSON</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc store accept-loss --reason &quot;the disk of db-a cannot be read&quot;</span></span></code></pre></div><h2 id="svc-stores" tabindex="-1">svc stores <a class="header-anchor" href="#svc-stores" aria-label="Permalink to &quot;svc stores&quot;">​</a></h2><p>lists the stores that send messages, and decides which are trusted</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc stores list</span></span>
<span class="line"><span>svc stores trust ID --reason R [--key HEX]</span></span>
<span class="line"><span>svc stores forget ID --reason R</span></span>
<span class="line"><span></span></span>
<span class="line"><span>list shows every store that sent messages: its key, whether it is trusted, what was received and what is missing.</span></span>
<span class="line"><span>trust takes messages of a store from now on, and reads again what was passed over and the broker still holds.</span></span>
<span class="line"><span>  --key HEX   the public key of the store, 64 hexadecimal digits, as svc stores list shows it elsewhere; without it the</span></span>
<span class="line"><span>              first key with which the store signs is taken</span></span>
<span class="line"><span>forget takes nothing more from a store; what was received stays. trust takes it up again.</span></span>
<span class="line"><span>The system stream records both, with SVC_ACTOR or the user of the operating system.</span></span>
<span class="line"><span>The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --json  prints JSON</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc stores trust 0190b5d4-0000-7000-8000-000000000001 --reason &#39;the new warehouse&#39;</span></span></code></pre></div><h2 id="svc-subjects" tabindex="-1">svc subjects <a class="header-anchor" href="#svc-subjects" aria-label="Permalink to &quot;svc subjects&quot;">​</a></h2><p>makes the sensitive values of a person or thing unreadable</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc subjects forget ID --reason R</span></span>
<span class="line"><span></span></span>
<span class="line"><span>Destroys the key of a subject: every value that a field marked @Sensitive({ subject }) holds of it reads as null from</span></span>
<span class="line"><span>then on, in this store and in its messages. This cannot be undone, and needs no master key.</span></span>
<span class="line"><span>Read models that hold such values are folded again by the hosts that run them, within seconds where the log is short.</span></span>
<span class="line"><span>Events stay as they are, and the audit chain still verifies. Backups hold the key until they expire.</span></span>
<span class="line"><span>The system stream records it as SubjectForgotten, with a digest of the id and SVC_ACTOR or the user of the operating</span></span>
<span class="line"><span>system. ID is compared exactly with the field that the mark names.</span></span>
<span class="line"><span>The store is the one at DATABASE_URL (DATABASE_OWNER_URL), or the embedded one in SVC_DATA_DIR (.svc).</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --reason R  why; required</span></span>
<span class="line"><span>  --json      prints JSON</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc subjects forget 0190b5d4-7c1f-7d7e-9a51-0d7d4a0f6b11 --reason &#39;request 4711&#39;</span></span></code></pre></div><h2 id="svc-supervise" tabindex="-1">svc supervise <a class="header-anchor" href="#svc-supervise" aria-label="Permalink to &quot;svc supervise&quot;">​</a></h2><p>runs several host processes on one port and replaces those that fail</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>svc supervise &lt;app&gt; [--hosts N] [--max-memory SIZE] [--max-restarts N] [--patience MS] [--quarantine-after N]</span></span>
<span class="line"><span>svc supervise [app] --status | --scale N [--json]</span></span>
<span class="line"><span>svc supervise [app] --stop</span></span>
<span class="line"><span></span></span>
<span class="line"><span>Runs N hosts, named SVC_NAME-1 to -N, on one port. Replaces a host that exits or whose event loop is blocked;</span></span>
<span class="line"><span>exits with 1 when a host exits too often.</span></span>
<span class="line"><span>A command that blocks the event loop of several hosts is quarantined: for ten minutes it is refused with 503</span></span>
<span class="line"><span>quarantined, by its key if it has one (the receptor&#39;s key, else its Idempotency-Key). All other commands are served.</span></span>
<span class="line"><span>A restart of svc supervise ends every quarantine.</span></span>
<span class="line"><span>SIGHUP replaces all hosts, one after another, without losing a request; SIGTERM drains and stops them.</span></span>
<span class="line"><span>--scale adds hosts with the next free numbers or drains those with the highest ones, without losing a request.</span></span>
<span class="line"><span>Takes the same environment as svc start.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  --hosts N           the number of hosts (default: one per processor)</span></span>
<span class="line"><span>  --max-memory SIZE   replaces a host that uses more, such as 512M or 2G</span></span>
<span class="line"><span>  --max-restarts N    restarts of one host within a minute (10)</span></span>
<span class="line"><span>  --patience MS       replaces a host whose event loop is blocked for longer (SVC_PATIENCE_MS, 1500)</span></span>
<span class="line"><span>  --quarantine-after N  hosts lost to one command within five minutes (3); 0: never</span></span>
<span class="line"><span>  --status            shows the hosts of SVC_DATA_DIR (.svc)</span></span>
<span class="line"><span>  --scale N           changes the number of hosts of SVC_DATA_DIR, and waits; 0 keeps only the supervisor</span></span>
<span class="line"><span>  --stop              drains and stops the hosts of SVC_DATA_DIR, and waits</span></span>
<span class="line"><span>  --json              prints JSON</span></span>
<span class="line"><span></span></span>
<span class="line"><span>  svc supervise examples/orders --hosts 4 --max-memory 512M</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/command-line.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const commandLine = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  commandLine as default
};
