import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Function: uuid()","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/functions/svc-runtime.codec.uuid.md","filePath":"reference/api/functions/svc-runtime.codec.uuid.md"}');
const _sfc_main = { name: "reference/api/functions/svc-runtime.codec.uuid.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="function-uuid" tabindex="-1">Function: uuid() <a class="header-anchor" href="#function-uuid" aria-label="Permalink to &quot;Function: uuid()&quot;">​</a></h1><blockquote><p><strong>uuid</strong>(<code>value</code>, <code>path</code>, <code>faults</code>): <a href="./../types/svc-runtime.Uuid"><code>Uuid</code></a></p></blockquote><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>value</code></td><td><code>unknown</code></td></tr><tr><td><code>path</code></td><td><code>string</code></td></tr><tr><td><code>faults</code></td><td><a href="./../interfaces/svc-runtime.codec.Fault"><code>Fault</code></a>[]</td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><a href="./../types/svc-runtime.Uuid"><code>Uuid</code></a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/functions/svc-runtime.codec.uuid.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_uuid = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_uuid as default
};
