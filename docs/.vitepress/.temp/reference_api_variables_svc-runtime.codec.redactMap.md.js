import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: redactMap","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.codec.redactMap.md","filePath":"reference/api/variables/svc-runtime.codec.redactMap.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.codec.redactMap.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-redactmap" tabindex="-1">Variable: redactMap <a class="header-anchor" href="#variable-redactmap" aria-label="Permalink to &quot;Variable: redactMap&quot;">​</a></h1><blockquote><p><code>const</code> <strong>redactMap</strong>: (<code>value</code>, <code>redact</code>) =&gt; <code>unknown</code></p></blockquote><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>value</code></td><td><code>unknown</code></td></tr><tr><td><code>redact</code></td><td><a href="./../types/svc-runtime.codec.Redact"><code>Redact</code></a></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>unknown</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.codec.redactMap.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_redactMap = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_redactMap as default
};
