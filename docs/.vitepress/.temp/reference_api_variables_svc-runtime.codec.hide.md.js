import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: hide","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.codec.hide.md","filePath":"reference/api/variables/svc-runtime.codec.hide.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.codec.hide.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-hide" tabindex="-1">Variable: hide <a class="header-anchor" href="#variable-hide" aria-label="Permalink to &quot;Variable: hide&quot;">​</a></h1><blockquote><p><code>const</code> <strong>hide</strong>: <a href="./../types/svc-runtime.codec.Redact"><code>Redact</code></a></p></blockquote><p>Hides a sensitive value; absent values stay absent.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.codec.hide.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_hide = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_hide as default
};
