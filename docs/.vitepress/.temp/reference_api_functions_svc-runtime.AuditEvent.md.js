import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Function: AuditEvent()","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/functions/svc-runtime.AuditEvent.md","filePath":"reference/api/functions/svc-runtime.AuditEvent.md"}');
const _sfc_main = { name: "reference/api/functions/svc-runtime.AuditEvent.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="function-auditevent" tabindex="-1">Function: AuditEvent() <a class="header-anchor" href="#function-auditevent" aria-label="Permalink to &quot;Function: AuditEvent()&quot;">​</a></h1><blockquote><p><strong>AuditEvent</strong>(<code>init?</code>): (<code>type</code>) =&gt; <code>void</code></p></blockquote><p>Marks a message class for auditing; <code>exclude: true</code> keeps it out.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>init?</code></td><td><code>AuditEventInit</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p>(<code>type</code>) =&gt; <code>void</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/functions/svc-runtime.AuditEvent.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_AuditEvent = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_AuditEvent as default
};
