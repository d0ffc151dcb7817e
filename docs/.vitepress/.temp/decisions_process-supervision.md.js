import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Process supervision","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/process-supervision.md","filePath":"decisions/process-supervision.md"}');
const _sfc_main = { name: "decisions/process-supervision.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="process-supervision" tabindex="-1">Process supervision <a class="header-anchor" href="#process-supervision" aria-label="Permalink to &quot;Process supervision&quot;">​</a></h1><p>Node runs one event loop per process. <code>svc supervise</code> runs N host processes on one shared port.</p><p><strong>Chosen:</strong> a primary that serves nothing itself starts hosts in order, watches a heartbeat from each, and replaces what dies or hangs. The policy is that of OTP: one for one, with an intensity; restarts that come too fast back off instead of ending everything, because a database that is away for a minute must not take the service with it.</p><ul><li><strong>Hung hosts.</strong> A handler that loops for ever stops the heartbeat. It is killed after 1.5 s and replaced; measured: 1,521 ms to the kill, 1,681 ms until the replacement listened, 193 of 194 other requests answered.</li><li><strong>Poison commands.</strong> A command under which hosts die again and again is put into quarantine, by its key if it has one.</li><li><strong>Rolling restart.</strong> SIGHUP replaces hosts one after the other. A host that drains stops accepting, answers <code>Connection: close</code>, and closes idle connections after 1.5 s: 0 of 14,418 requests failed. <code>server.close()</code> alone cuts idle keep-alive connections and does fail some.</li><li><strong>Leases, not leaders.</strong> Relay, subscriber and perspective runners hold leases in the database; a dead host&#39;s work goes on within 5 s. Leases are judged by the database&#39;s clock.</li></ul><p>For comparison, a dead node is noticed after 60 s by Wolverine&#39;s defaults, after 15 minutes by those of pg-boss, and graphile-worker keeps its jobs locked for 4 hours.</p><p><strong>Price:</strong> this is for one machine. Beyond it a scheduler such as Kubernetes supervises, and one host runs per container.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/process-supervision.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const processSupervision = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  processSupervision as default
};
